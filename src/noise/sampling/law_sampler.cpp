#include "noise/sampling/law_sampler.hpp"

#include <cmath>
#include <cstddef>

#include "base/check.hpp"
#include "noise/sampling/rounded_sampler.hpp"

namespace tacit {

const LawSampler& sampler_of(NoiseLaw law) {
#define TACIT_SAMPLER(law) law##_sampler(),
  static const LawSampler samplers[] = {TACIT_NOISE_LAWS(TACIT_SAMPLER)};
#undef TACIT_SAMPLER
  return samplers[static_cast<std::size_t>(law)];
}

std::shared_ptr<const QuantileLaw> quantile_law(NoiseLaw law, Epsilon epsilon, Beta beta) {
  const auto* continuous = std::get_if<ContinuousLaw>(&sampler_of(law));
  TACIT_CHECK(continuous != nullptr, "a law that is scaled by a real number is continuous");
  return continuous->of(epsilon, beta);
}

std::unique_ptr<const GridSampler> step_sampler(NoiseLaw law, Epsilon epsilon, Int128 sensitivity) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(sensitivity > 0, "the sensitivity is positive");
  if (const auto* integers = std::get_if<IntegerLaw>(&sampler_of(law))) return integers->of(epsilon, sensitivity);
  return std::make_unique<RoundedSampler>(
      quantile_law(law, epsilon, Beta()),
      ExactNumber::quotient(ExactNumber::of(sensitivity), ExactNumber::of(epsilon.value())));
}

}  // namespace tacit
