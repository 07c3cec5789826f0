#include "mechanism/users/gaussian.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/check.hpp"
#include "mechanism/bisection.hpp"
#include "mechanism/noise_rule.hpp"

namespace tacit {
namespace {

static_assert(LDBL_MANT_DIG >= 64, "the allowances below are for 64-bit significands");
// Each of the two terms below is within this relative error (gaussian.md, "Rounding").
constexpr long double term_allowance = 0x1p-44L;
constexpr long double upward_allowance = 1.0L + 0x1p-50L;
// A larger epsilon is treated as this one.
constexpr long double largest_epsilon = 100.0L;

long double normal_tail(long double x) { return std::erfc(x / std::numbers::sqrt2_v<long double>) / 2.0L; }

double round_up(long double x) {
  const auto nearest = static_cast<double>(x);
  return static_cast<long double>(nearest) >= x ? nearest
                                                : std::nextafter(nearest, std::numeric_limits<double>::infinity());
}

}  // namespace

double gaussian_deviation_up(Epsilon epsilon, Delta delta) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(delta.value() > 0.0 && delta.value() < 1.0, "Gaussian noise takes a delta between 0 and 1");
  const long double e = std::min(static_cast<long double>(epsilon.value()), largest_epsilon);
  const auto holds = [&](long double s) {
    const long double half = 1.0L / (2.0L * s);
    const long double first = normal_tail(e * s - half) * (1.0L + term_allowance);
    const long double second = std::exp(e) * normal_tail(e * s + half) * (1.0L - term_allowance);
    return first - second <= static_cast<long double>(delta.value());
  };
  return round_up(least_where(holds) * upward_allowance);
}

double gaussian_rho(double deviation) { return 1.0 / (2.0 * deviation * deviation); }

double normal_magnitude_up(double probability) {
  TACIT_CHECK(probability > 0.0 && probability < 1.0, "a probability lies between 0 and 1");
  const long double outside = 1.0L - static_cast<long double>(probability);
  const long double magnitude = least_where([&](long double x) { return 2.0L * normal_tail(x) <= outside; });
  return round_up(magnitude * (1.0L + 0x1p-42L));
}

Int128 gaussian_half_width(double deviation, double coverage) {
  TACIT_CHECK(std::isfinite(deviation) && deviation > 0.0, "the deviation is positive and finite");
  const long double at_most =
      static_cast<long double>(deviation) * static_cast<long double>(normal_magnitude_up(coverage)) * upward_allowance;
  if (at_most >= 0x1p126L) return power_of_ten(38) - 1;
  const long double width = std::ceil(at_most - 0.5L);
  return width <= 0.0L ? 0 : static_cast<Int128>(width);
}

namespace {

class GaussianRule final : public NoiseRule, public VectorNoise {
 public:
  const char* name() const override { return "gaussian"; }
  const char* proof_note() const override { return "mechanism/users/gaussian.md"; }
  const StepNoise* for_steps() const override { return nullptr; }
  const VectorNoise* for_vectors() const override { return this; }
  const BoundNoise* for_bounds() const override { return nullptr; }

  double deviation_up(Epsilon epsilon, Delta delta) const override { return gaussian_deviation_up(epsilon, delta); }
  double magnitude_up(double probability) const override { return normal_magnitude_up(probability); }
  double mean_magnitude() const override { return std::sqrt(2.0 / std::numbers::pi); }
  Int128 half_width(double deviation, double coverage) const override {
    return gaussian_half_width(deviation, coverage);
  }
};

}  // namespace

const NoiseRule& gaussian_rule() {
  static const GaussianRule rule;
  return rule;
}

}  // namespace tacit
