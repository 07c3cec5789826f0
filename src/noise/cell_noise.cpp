#include "noise/cell_noise.hpp"

#include "mechanism/noise_rule.hpp"
#include "noise/sampling/law_sampler.hpp"

namespace tacit {
namespace {

class StepCellNoise final : public CellNoise {
 public:
  explicit StepCellNoise(const RowsAggregatePlan& plan)
      : law_(step_noise(plan.law)),
        epsilon_(plan.epsilon),
        sensitivity_(plan.sensitivity_units),
        sampler_(step_sampler(plan.law, epsilon_, sensitivity_)) {}
  Int128 add_to(Int128 exact, RandomWords& words) const override { return sampler_->draw(exact, words); }
  Int128 half_width(double coverage) const override { return law_.half_width(epsilon_, sensitivity_, coverage); }

 private:
  const StepNoise& law_;
  Epsilon epsilon_;
  Int128 sensitivity_;
  std::unique_ptr<const GridSampler> sampler_;
};

}  // namespace

std::unique_ptr<const CellNoise> cell_noise(const RowsAggregatePlan& plan) {
  return std::make_unique<StepCellNoise>(plan);
}

}  // namespace tacit
