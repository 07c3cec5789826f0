#include "noise/sampling/gen_cauchy_law.hpp"

#include <cmath>
#include <numbers>

#include "noise/sampling/law_sampler.hpp"
#include "noise/sampling/precise_arithmetic.hpp"
#include "noise/sampling/tail_inverse.hpp"

namespace tacit {
namespace {

class GenCauchyTail final : public TailFunction {
 public:
  // (pi/2 - atan((x - 1/x) / sqrt(2)) - atanh(sqrt(2) / (x + 1/x))) / pi: mechanism/gen_cauchy.md, with the angle
  // written in a function that is monotone in x.
  void tail_at(const PreciseNumber& x, PreciseInterval& tail) const override {
    const mpfr_prec_t precision = tail.lower.precision();
    PreciseInterval point(precision);
    PreciseInterval inverse(precision);
    PreciseInterval root(precision);
    PreciseInterval pi(precision);
    set_to(point, x);
    set_to(inverse, 1.0);
    divide(inverse, inverse, point);
    set_to(root, 2.0);
    apply(mpfr_sqrt, root);
    set_to_pi(pi);

    PreciseInterval angle(precision);
    subtract(angle, point, inverse);
    divide(angle, angle, root);
    apply(mpfr_atan, angle);

    PreciseInterval sum(precision);
    add(sum, point, inverse);
    divide(root, root, sum);  // at most sqrt(2) / 2
    apply(mpfr_atanh, root);

    set_to(tail, 0.5);
    multiply(tail, tail, pi);
    subtract(tail, tail, angle);
    subtract(tail, tail, root);
    keep_at_least(tail, 0.0);
    divide(tail, tail, pi);
  }

  void density_at(const PreciseNumber& x, PreciseNumber& density) const override {
    PreciseNumber pi(density.precision());
    mpfr_const_pi(pi.get(), MPFR_RNDN);
    mpfr_pow_ui(density.get(), x.get(), 4, MPFR_RNDN);
    mpfr_add_ui(density.get(), density.get(), 1, MPFR_RNDN);
    mpfr_mul(density.get(), density.get(), pi.get(), MPFR_RNDN);
    mpfr_sqrt_ui(pi.get(), 8, MPFR_RNDN);
    mpfr_div(density.get(), pi.get(), density.get(), MPFR_RNDN);
  }

  // The leading terms of the tail where it is small, else Newton's steps from the left.
  double guess(double tail) const override {
    const double density = 2 * std::numbers::sqrt2 / std::numbers::pi;
    const double far = std::cbrt(density / (3 * tail));
    if (tail < 1e-3) return far * (1 - 1 / (7 * std::pow(far, 4)));
    double x = (1 - tail) / density;
    for (int i = 0; i < guess_steps; ++i) {
      const double angle = std::atan2(std::numbers::sqrt2 * x, x * x - 1);
      const double value = (angle - std::atanh(std::numbers::sqrt2 * x / (1 + x * x))) / std::numbers::pi;
      x += (value - tail) * (1 + x * x * x * x) / density;
    }
    return x;
  }

 private:
  static constexpr int guess_steps = 12;
};

}  // namespace

std::shared_ptr<const QuantileLaw> gen_cauchy_law() {
  static const auto law = law_with_tail(std::make_unique<const GenCauchyTail>());
  return law;
}

LawSampler gen_cauchy_sampler() {
  return ContinuousLaw{[](Epsilon /*epsilon*/, Beta /*beta*/) { return gen_cauchy_law(); }};
}

}  // namespace tacit
