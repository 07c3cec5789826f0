#include "noise/sampling/student_t_law.hpp"

#include <cmath>
#include <numbers>

#include "noise/sampling/law_sampler.hpp"
#include "noise/sampling/precise_arithmetic.hpp"
#include "noise/sampling/tail_inverse.hpp"

namespace tacit {
namespace {

class StudentTail final : public TailFunction {
 public:
  // (2/pi) (atan(1/x) - 1 / (x + 1/x)), x = y / sqrt(3): mechanism/student_t.md.
  void tail_at(const PreciseNumber& y, PreciseInterval& tail) const override {
    const mpfr_prec_t precision = tail.lower.precision();
    PreciseInterval point(precision);
    PreciseInterval inverse(precision);
    PreciseInterval sum(precision);
    PreciseInterval quotient(precision);
    set_to(inverse, 3.0);
    apply(mpfr_sqrt, inverse);
    set_to(point, y);
    divide(point, point, inverse);
    set_to(inverse, 1.0);
    divide(inverse, inverse, point);
    add(sum, point, inverse);
    set_to(quotient, 1.0);
    divide(quotient, quotient, sum);
    apply(mpfr_atan, inverse);
    subtract(tail, inverse, quotient);
    keep_at_least(tail, 0.0);
    set_to_pi(sum);
    set_to(quotient, 2.0);
    multiply(tail, tail, quotient);
    divide(tail, tail, sum);
  }

  // 4 / (pi sqrt(3) (1 + y^2/3)^2)
  void density_at(const PreciseNumber& y, PreciseNumber& density) const override {
    PreciseNumber constant(density.precision());
    mpfr_sqr(density.get(), y.get(), MPFR_RNDN);
    mpfr_div_ui(density.get(), density.get(), 3, MPFR_RNDN);
    mpfr_add_ui(density.get(), density.get(), 1, MPFR_RNDN);
    mpfr_sqr(density.get(), density.get(), MPFR_RNDN);
    mpfr_const_pi(constant.get(), MPFR_RNDN);
    mpfr_mul(density.get(), density.get(), constant.get(), MPFR_RNDN);
    mpfr_sqrt_ui(constant.get(), 3, MPFR_RNDN);
    mpfr_mul(density.get(), density.get(), constant.get(), MPFR_RNDN);
    mpfr_ui_div(density.get(), 4, density.get(), MPFR_RNDN);
  }

  // The leading terms of the tail where it is small, else Newton's steps from the left.
  double guess(double tail) const override {
    const double density = 4 / std::numbers::pi;  // of x at 0
    const double far = std::cbrt(density / (3 * tail));
    if (tail < 1e-4) return std::numbers::sqrt3 * far * (1 - 2 / (5 * far * far));
    double x = (1 - tail) / density;
    for (int i = 0; i < guess_steps; ++i) {
      const double value = (std::atan2(1.0, x) - x / (1 + x * x)) * 2 / std::numbers::pi;
      x += (value - tail) * (1 + x * x) * (1 + x * x) / density;
    }
    return std::numbers::sqrt3 * x;
  }

 private:
  static constexpr int guess_steps = 20;
};

}  // namespace

std::shared_ptr<const QuantileLaw> student_t_law() {
  static const auto law = law_with_tail(std::make_unique<const StudentTail>());
  return law;
}

LawSampler student_t_sampler() {
  return ContinuousLaw{[](Epsilon /*epsilon*/, Beta /*beta*/) { return student_t_law(); }};
}

}  // namespace tacit
