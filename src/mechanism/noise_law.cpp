#include "mechanism/noise_law.hpp"

#include <cstddef>

#include "base/check.hpp"
#include "mechanism/noise_rule.hpp"

namespace tacit {
namespace {

template <class Use>
const Use& that_exists(const Use* use) {
  TACIT_CHECK(use != nullptr, "a noise law is used for what it has a proof for");
  return *use;
}

}  // namespace

std::span<const NoiseLaw> all_noise_laws() {
#define TACIT_QUALIFIED(law) NoiseLaw::law,
  static constexpr NoiseLaw all[] = {TACIT_NOISE_LAWS(TACIT_QUALIFIED)};
#undef TACIT_QUALIFIED
  return all;
}

const NoiseRule& rule_of(NoiseLaw law) {
#define TACIT_RULE(law) &law##_rule(),
  static const NoiseRule* const rules[] = {TACIT_NOISE_LAWS(TACIT_RULE)};
#undef TACIT_RULE
  return *rules[static_cast<std::size_t>(law)];
}

const StepNoise& step_noise(NoiseLaw law) { return that_exists(rule_of(law).for_steps()); }
const VectorNoise& vector_noise(NoiseLaw law) { return that_exists(rule_of(law).for_vectors()); }
const BoundNoise& bound_noise(NoiseLaw law) { return that_exists(rule_of(law).for_bounds()); }

const char* name_of(NoiseLaw law) { return rule_of(law).name(); }

std::optional<NoiseLaw> law_named(std::string_view name) {
  for (const NoiseLaw law : all_noise_laws()) {
    if (name == name_of(law)) return law;
  }
  return std::nullopt;
}

}  // namespace tacit
