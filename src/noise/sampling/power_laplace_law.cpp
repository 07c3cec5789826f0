#include "noise/sampling/power_laplace_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "noise/sampling/law_sampler.hpp"
#include "noise/sampling/precise_arithmetic.hpp"

namespace tacit {
namespace {

constexpr mpfr_prec_t spare_precision = 64;
constexpr mpfr_prec_t precision_for_doubles = 160;
constexpr double largest_exponent = 700.0;  // exp of more may be beyond the doubles

// x := -ln(1 - x) for exact numbers 0 <= x <= 1.
void minus_log_of_rest(PreciseInterval& x) {
  keep_at_least(x, 0.0);
  keep_at_most(x, 1.0);
  negate(x);
  apply(mpfr_log1p, x);
  negate(x);
}

// The constants of the law at one precision.
struct Constants {
  PreciseInterval beta;
  PreciseInterval kappa;
  PreciseInterval mass;     // Z
  PreciseInterval join;     // v*
  PreciseInterval at_join;  // m(v*) = 1 / epsilon

  Constants(double epsilon, double smoothness, mpfr_prec_t precision)
      : beta(precision), kappa(precision), mass(precision), join(precision), at_join(precision) {
    PreciseInterval one(precision);
    PreciseInterval inner(precision);
    PreciseInterval operand(precision);
    set_to(one, 1.0);
    set_to(beta, smoothness);
    set_to(operand, epsilon);
    divide(kappa, beta, operand);
    divide(at_join, one, operand);

    // A = exp(-((1 - kappa) / kappa) * -ln(1 - kappa))
    set_to(inner, 1.0);
    subtract(inner, inner, kappa);
    keep_at_least(inner, 0.0);
    divide(inner, inner, kappa);
    set_to(operand, kappa);
    minus_log_of_rest(operand);
    multiply(inner, inner, operand);
    negate(inner);
    apply(mpfr_exp, inner);

    // Z = 1 + 2 kappa A,  v* = A (1 + kappa) / Z
    multiply(mass, kappa, inner);
    set_to(operand, 2.0);
    multiply(mass, mass, operand);
    add(mass, mass, one);
    add(operand, one, kappa);
    multiply(join, inner, operand);
    divide(join, join, mass);
  }
};

// The formula for v >= v*; for a smaller v, something that is at least 0.
void body_at(const Constants& c, const PreciseNumber& tail, PreciseInterval& magnitude) {
  PreciseInterval v(magnitude.lower.precision());
  set_to(v, tail);
  set_to(magnitude, 1.0);
  subtract(magnitude, magnitude, v);
  keep_at_least(magnitude, 0.0);
  multiply(magnitude, magnitude, c.mass);
  minus_log_of_rest(magnitude);
  multiply(magnitude, magnitude, c.kappa);
  negate(magnitude);
  apply(mpfr_expm1, magnitude);
  negate(magnitude);
  divide(magnitude, magnitude, c.beta);
}

// The formula for v <= v*; for a larger v, its value at v*.
void tail_at(const Constants& c, const PreciseNumber& tail, PreciseInterval& magnitude) {
  PreciseInterval operand(magnitude.lower.precision());
  set_to(magnitude, c.join);
  apply(mpfr_log, magnitude);
  set_to(operand, tail);
  apply(mpfr_log, operand);
  subtract(magnitude, magnitude, operand);
  keep_at_least(magnitude, 0.0);
  multiply(magnitude, magnitude, c.kappa);
  set_to(operand, c.kappa);
  apply(mpfr_log1p, operand);
  add(magnitude, magnitude, operand);
  apply(mpfr_expm1, magnitude);
  divide(magnitude, magnitude, c.beta);
}

class PowerLaplaceLaw final : public QuantileLaw {
 public:
  PowerLaplaceLaw(double epsilon, double beta) : epsilon_(epsilon), beta_(beta) {
    Constants c(epsilon, beta, precision_for_doubles);
    kappa_ = to_doubles(c.kappa);
    mass_ = to_doubles(c.mass);
    join_ = to_doubles(c.join);
    at_join_ = to_doubles(c.at_join);
    apply(mpfr_log, c.join);
    log_join_ = to_doubles(c.join);
    apply(mpfr_log1p, c.kappa);
    log_one_more_ = to_doubles(c.kappa);
  }

  DoubleInterval magnitude_at(double tail) const override {
    if (tail >= join_.upper) return body_in_double(tail);
    if (tail <= join_.lower) return tail_in_double(tail);
    // Undecided: from below by the body, from above by the tail, and m(v*) is between them.
    return {std::min(body_in_double(tail).lower, at_join_.lower), tail_in_double(tail).upper};
  }

  void magnitude_at(const PreciseNumber& tail, PreciseInterval& magnitude) const override {
    const mpfr_prec_t precision = std::max(magnitude.lower.precision(), tail.precision()) + spare_precision;
    const Constants c(epsilon_, beta_, precision);
    PreciseInterval wide(precision);
    if (mpfr_cmp(tail.get(), c.join.upper.get()) >= 0) {
      body_at(c, tail, wide);
    } else if (mpfr_cmp(tail.get(), c.join.lower.get()) <= 0) {
      tail_at(c, tail, wide);
    } else {
      PreciseInterval body(precision);
      body_at(c, tail, body);
      tail_at(c, tail, wide);
      mpfr_min(wide.lower.get(), body.lower.get(), c.at_join.lower.get(), MPFR_RNDD);
      mpfr_max(wide.upper.get(), wide.upper.get(), c.at_join.upper.get(), MPFR_RNDU);
    }
    set_to(magnitude, wide);
  }

 private:
  // As body_at, and at most 1 / epsilon.
  DoubleInterval body_in_double(double v) const {
    const double least = multiply_down(std::max(0.0, add_down(1.0, -v)), mass_.lower);
    const double most = multiply_up(add_up(1.0, -v), mass_.upper);
    DoubleInterval magnitude{0.0, at_join_.upper};
    if (least < 1.0) {
      const double exponent = multiply_down(std::max(0.0, -enclose_log1p(-least).upper), kappa_.lower);
      magnitude.lower = divide_down(std::max(0.0, -enclose_expm1(-exponent).upper), beta_);
    }
    if (most < 1.0) {
      const double exponent = multiply_up(-enclose_log1p(-most).lower, kappa_.upper);
      magnitude.upper = std::min(at_join_.upper, divide_up(-enclose_expm1(-exponent).lower, beta_));
    }
    return magnitude;
  }

  // As tail_at, and at least 1 / epsilon.
  DoubleInterval tail_in_double(double v) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (v == 0.0) return {at_join_.lower, infinity};
    const DoubleInterval log = enclose_log(v);
    const double least = multiply_down(std::max(0.0, add_down(log_join_.lower, -log.upper)), kappa_.lower);
    const double most = multiply_up(std::max(0.0, add_up(log_join_.upper, -log.lower)), kappa_.upper);
    const double lower = std::min(largest_exponent, add_down(log_one_more_.lower, least));
    const double upper = add_up(log_one_more_.upper, most);
    const double above = upper > largest_exponent ? infinity : divide_up(enclose_expm1(upper).upper, beta_);
    return {std::max(at_join_.lower, divide_down(std::max(0.0, enclose_expm1(lower).lower), beta_)),
            std::max(at_join_.upper, above)};
  }

  double epsilon_;
  double beta_;
  DoubleInterval kappa_;
  DoubleInterval mass_;          // Z
  DoubleInterval join_;          // v*
  DoubleInterval at_join_;       // 1 / epsilon
  DoubleInterval log_join_;      // ln v*
  DoubleInterval log_one_more_;  // ln(1 + kappa)
};

}  // namespace

std::shared_ptr<const QuantileLaw> power_laplace_law(Epsilon epsilon, Beta beta) {
  TACIT_CHECK(std::isfinite(epsilon.value()), "epsilon is finite");
  TACIT_CHECK(beta.value() > 0.0 && beta.value() < epsilon.value(), "beta lies between 0 and epsilon");
  return std::make_shared<const PowerLaplaceLaw>(epsilon.value(), beta.value());
}

LawSampler power_laplace_sampler() { return ContinuousLaw{power_laplace_law}; }

}  // namespace tacit
