#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "mechanism/metric/choose_metric.hpp"
#include "noise/cell_noise.hpp"
#include "noise/sampling/law_sampler.hpp"
#include "noise/sampling/release_range.hpp"
#include "noise/sampling/rounded_sampler.hpp"

namespace tacit {
namespace {

constexpr double log_unit = 0x1p40;

std::shared_ptr<const QuantileLaw> law_of(const MetricNoise& noise) {
  return quantile_law(noise.law, noise.epsilon, noise.beta);
}

ExactNumber exact_step(const Grid& grid) {
  if (grid.base == Grid::Base::binary) return ExactNumber::of(std::ldexp(1.0, -grid.exponent));
  return ExactNumber::quotient(ExactNumber::of(Int128{1}), ExactNumber::of(power_of_ten(grid.exponent)));
}

// c / b in units of the grid.
ExactNumber scale_of(const MetricNoise& noise, double c) {
  return ExactNumber::quotient(ExactNumber::quotient(ExactNumber::of(c), ExactNumber::of(noise.b)),
                               exact_step(noise.grid));
}

class ConstantNoise final : public MetricCellNoise {
 public:
  explicit ConstantNoise(const MetricNoise& noise)
      : noise_(noise), sampler_(law_of(noise), scale_of(noise, *noise.constant)) {}

  Int128 add_to(Int128 exact, Int128 /*log_bound*/, RandomWords& words) const override {
    return sampler_.draw(exact, words);
  }

  std::optional<Int128> half_width(double coverage) const override {
    // The exact value is on the grid, so a release is off by more than h steps only if the noise exceeds h + 1/2. A few
    // roundings are allowed for.
    const double units =
        metric_noise_magnitude(noise_, coverage) * *noise_.constant / step_of(noise_.grid) * (1.0 + 1e-9) - 0.5;
    if (!(units < 1e37)) return largest_release;
    return static_cast<Int128>(std::max(std::ceil(units), 0.0));
  }

 private:
  MetricNoise noise_;
  RoundedSampler sampler_;
};

class MovingNoise final : public MetricCellNoise {
 public:
  explicit MovingNoise(const MetricNoise& noise) : noise_(noise), law_(law_of(noise)) {}

  Int128 add_to(Int128 exact, Int128 log_bound, RandomWords& words) const override {
    return RoundedSampler(law_, scale_of(noise_, bound_of(noise_, log_bound))).draw(exact, words);
  }

  std::optional<Int128> half_width(double /*coverage*/) const override { return std::nullopt; }

 private:
  MetricNoise noise_;
  std::shared_ptr<const QuantileLaw> law_;
};

}  // namespace

double bound_of(const MetricNoise& noise, Int128 log_bound) {
  if (noise.constant) return *noise.constant;
  constexpr double largest_log = 690.0;
  const double log = std::clamp(static_cast<double>(log_bound) / log_unit, -largest_log, largest_log);
  return std::max(std::exp(log), noise.least);
}

std::unique_ptr<const MetricCellNoise> metric_cell_noise(const MetricNoise& noise) {
  TACIT_CHECK(noise.epsilon.value() > 0.0 && noise.b > 0.0 && noise.least > 0.0, "the noise has a positive scale");
  TACIT_CHECK(noise.constant.has_value() != noise.bound_cell.has_value(), "a bound is constant or computed");
  if (noise.constant) return std::make_unique<ConstantNoise>(noise);
  return std::make_unique<MovingNoise>(noise);
}

}  // namespace tacit
