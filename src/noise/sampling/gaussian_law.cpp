#include "noise/sampling/gaussian_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "noise/sampling/law_sampler.hpp"
#include "noise/sampling/precise_arithmetic.hpp"
#include "noise/sampling/tail_inverse.hpp"

namespace tacit {
namespace {

constexpr double erfc_relative_error = 0x1p-49;
constexpr int most_newton_steps = 60;
constexpr double least_double_tail = 0x1p-900;

// 2 phi(x), minus the derivative of the tail.
double density(double x) { return std::exp(-x * x / 2) * std::numbers::sqrt2 * std::numbers::inv_sqrtpi; }

double tail(double x) { return std::erfc(x / std::numbers::sqrt2); }

// Newton's steps from the left of the solution: erfc is convex, so they do not overshoot. Far out erfc(x / sqrt(2)) is
// a little below exp(-x^2/2), which gives a start on the right; one step on the logarithm brings it close.
double solve(double wanted) {
  double x = 0.0;
  if (wanted < 0.1) {
    const double far = std::sqrt(-2.0 * std::log(wanted));
    x = far - std::log(far * std::sqrt(std::numbers::pi / 2)) / far;
  } else {
    x = (1.0 - wanted) * std::sqrt(std::numbers::pi / 2);
  }
  for (int i = 0; i < most_newton_steps; ++i) {
    const double value = tail(x);
    const double slope = density(x);
    // On the logarithm where the tail is small: it is close to a parabola.
    const double step = wanted < 0.1 ? std::log(value / wanted) * value / slope : (value - wanted) / slope;
    x += step;
    if (std::fabs(step) <= x * 0x1p-50) break;
  }
  return x;
}

class NormalTail final : public TailFunction {
 public:
  void tail_at(const PreciseNumber& x, PreciseInterval& result) const override {
    PreciseInterval point(result.lower.precision());
    PreciseInterval root(result.lower.precision());
    set_to(root, 2.0);
    apply(mpfr_sqrt, root);
    set_to(point, x);
    divide(point, point, root);
    // erfc falls.
    mpfr_erfc(result.lower.get(), point.upper.get(), MPFR_RNDD);
    mpfr_erfc(result.upper.get(), point.lower.get(), MPFR_RNDU);
  }

  void density_at(const PreciseNumber& x, PreciseNumber& result) const override {
    PreciseNumber root(result.precision());
    mpfr_sqr(result.get(), x.get(), MPFR_RNDN);
    mpfr_div_si(result.get(), result.get(), -2, MPFR_RNDN);
    mpfr_exp(result.get(), result.get(), MPFR_RNDN);
    mpfr_const_pi(root.get(), MPFR_RNDN);
    mpfr_div_ui(root.get(), root.get(), 2, MPFR_RNDN);
    mpfr_sqrt(root.get(), root.get(), MPFR_RNDN);
    mpfr_div(result.get(), result.get(), root.get(), MPFR_RNDN);
  }

  double guess(double wanted) const override { return solve(wanted); }
};

class GaussianLaw final : public QuantileLaw {
 public:
  DoubleInterval magnitude_at(double wanted) const override {
    if (wanted == 0.0) return {0.0, std::numeric_limits<double>::infinity()};
    if (wanted == 1.0) return {0.0, 0.0};
    if (wanted > least_double_tail) {
      const double x = solve(wanted);
      // In tails near 1 only the distance from 1 tells, and that is known to an absolute 2^-50 or so.
      const double margin = x * 0x1p-45 + 0x1p-46;
      const DoubleInterval ends{std::max(0.0, x - margin), x + margin};
      const bool below = ends.lower == 0.0 || enclose_normal_tail(ends.lower).lower >= wanted;
      if (below && enclose_normal_tail(ends.upper).upper <= wanted) return ends;
    }
    return precise_->magnitude_at(wanted);
  }

  void magnitude_at(const PreciseNumber& wanted, PreciseInterval& magnitude) const override {
    precise_->magnitude_at(wanted, magnitude);
  }

 private:
  std::shared_ptr<const QuantileLaw> precise_ = law_with_tail(std::make_unique<const NormalTail>());
};

}  // namespace

// x / sqrt(2) is rounded twice: a relative 2^-52 of the argument z, which moves erfc by at most a relative
// 2^-52 (2 z^2 + 1) for z >= 0, since z erfc'(z) / erfc(z) is at most 2 z^2 + 1 in magnitude.
DoubleInterval enclose_normal_tail(double x) {
  const double z = x / std::numbers::sqrt2;
  const double value = std::erfc(z);
  const double allowance = (2 * erfc_relative_error + 0x1p-50 * (2 * z * z + 1)) * value;
  return {next_down(value - allowance), next_up(value + allowance)};
}

std::shared_ptr<const QuantileLaw> gaussian_law() {
  static const auto law = std::make_shared<const GaussianLaw>();
  return law;
}

LawSampler gaussian_sampler() {
  return ContinuousLaw{[](Epsilon /*epsilon*/, Beta /*beta*/) { return gaussian_law(); }};
}

}  // namespace tacit
