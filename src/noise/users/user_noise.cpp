#include "noise/users/user_noise.hpp"

#include <cmath>

#include "base/check.hpp"
#include "mechanism/noise_rule.hpp"
#include "mechanism/share_down.hpp"
#include "noise/sampling/law_sampler.hpp"
#include "noise/sampling/rounded_sampler.hpp"

namespace tacit {
namespace {

// The root of a small whole number, not below it.
double root_up(int number) {
  const double root = std::sqrt(static_cast<double>(number));
  return std::fma(root, root, -static_cast<double>(number)) < 0.0 ? std::nextafter(root, 2.0 * root) : root;
}

class VectorCellNoise final : public CellNoise {
 public:
  VectorCellNoise(const UserNoise& noise, int parts, Int128 sensitivity)
      : law_(vector_noise(noise.law)),
        deviation_(noise.deviation * root_up(parts) * static_cast<double>(sensitivity)),
        sampler_(quantile_law(noise.law, noise.epsilon, Beta()),
                 ExactNumber::product(
                     ExactNumber::product(ExactNumber::of(noise.deviation), ExactNumber::of(root_up(parts))),
                     ExactNumber::of(sensitivity))) {}
  Int128 add_to(Int128 exact, RandomWords& words) const override { return sampler_.draw(exact, words); }
  Int128 half_width(double coverage) const override { return law_.half_width(deviation_, coverage); }

 private:
  const VectorNoise& law_;
  double deviation_;  // for widths: nearest double
  RoundedSampler sampler_;
};

}  // namespace

std::unique_ptr<const CellNoise> user_noise(const UserNoise& noise, int groups_per_user, Int128 sensitivity,
                                            int parts) {
  TACIT_CHECK(groups_per_user >= 1 && parts >= 1 && sensitivity >= 1, "a user moves a number by at least a step");
  if (rule_of(noise.law).for_vectors() != nullptr) {
    TACIT_CHECK(std::isfinite(noise.deviation) && noise.deviation > 0.0, "noise of vectors has a deviation");
    return std::make_unique<VectorCellNoise>(noise, parts, sensitivity);
  }
  RowsAggregatePlan plan;
  plan.law = noise.law;
  plan.epsilon = share_down(noise.epsilon, static_cast<std::size_t>(parts));
  plan.sensitivity_units = sensitivity * groups_per_user;
  return cell_noise(plan);
}

double user_noise_scale(const UserNoise& noise, int groups_per_user, Int128 sensitivity, int parts) {
  const auto steps = static_cast<double>(sensitivity);
  if (rule_of(noise.law).for_vectors() != nullptr) return noise.deviation * std::sqrt(parts) * steps;
  return steps * groups_per_user * parts / noise.epsilon.value();
}

}  // namespace tacit
