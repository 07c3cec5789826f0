#include "noise/cell_noise.hpp"

#include <cmath>

#include "base/check.hpp"
#include "mechanism/geometric.hpp"
#include "mechanism/laplace.hpp"
#include "noise/sampling/geometric_sampler.hpp"
#include "noise/sampling/laplace_law.hpp"
#include "noise/sampling/rounded_sampler.hpp"

namespace tacit {
namespace {

class LaplaceNoise final : public CellNoise {
 public:
  explicit LaplaceNoise(const RowsAggregatePlan& plan)
      : epsilon_(plan.epsilon),
        sensitivity_(plan.sensitivity_units),
        sampler_(laplace_law(),
                 ExactNumber::quotient(ExactNumber::of(sensitivity_), ExactNumber::of(epsilon_.value()))) {}
  Int128 add_to(Int128 exact, RandomWords& words) const override { return sampler_.draw(exact, words); }
  Int128 half_width(double coverage) const override { return laplace_half_width(epsilon_, sensitivity_, coverage); }

 private:
  Epsilon epsilon_;
  Int128 sensitivity_;
  RoundedSampler sampler_;
};

class GeometricNoise final : public CellNoise {
 public:
  explicit GeometricNoise(const RowsAggregatePlan& plan)
      : epsilon_(plan.epsilon), sensitivity_(plan.sensitivity_units), sampler_(epsilon_, sensitivity_) {}
  Int128 add_to(Int128 exact, RandomWords& words) const override { return sampler_.draw(exact, words); }
  Int128 half_width(double coverage) const override { return geometric_half_width(epsilon_, sensitivity_, coverage); }

 private:
  Epsilon epsilon_;
  Int128 sensitivity_;
  GeometricSampler sampler_;
};

}  // namespace

std::unique_ptr<const CellNoise> cell_noise(const RowsAggregatePlan& plan) {
  TACIT_CHECK(std::isfinite(plan.epsilon.value()) && plan.epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(plan.sensitivity_units > 0, "the sensitivity is positive");
  switch (plan.law) {
    case NoiseLaw::geometric: return std::make_unique<GeometricNoise>(plan);
    case NoiseLaw::laplace: return std::make_unique<LaplaceNoise>(plan);
    default: break;
  }
  TACIT_CHECK(false, "every noise law has a sampler");
}

}  // namespace tacit
