#include "noise/sampling/tail_inverse.hpp"

#include <algorithm>
#include <cmath>

#include "noise/sampling/precise_arithmetic.hpp"

namespace tacit {
namespace {

constexpr int most_newton_steps = 200;
constexpr mpfr_prec_t spare_precision = 32;

// Both lie left of the solution: S is above its tangent at 0, 1 - density(0) x; and for x >= 1 the promise about the
// density gives S(x) >= density(0) / (12 x^3). From the left Newton's steps on a convex function do not overshoot.
void start_left(const TailFunction& function, const PreciseNumber& tail, PreciseNumber& x) {
  PreciseNumber density(x.precision());
  PreciseNumber far(x.precision());
  mpfr_set_zero(x.get(), 1);
  function.density_at(x, density);
  mpfr_ui_sub(x.get(), 1, tail.get(), MPFR_RNDN);
  mpfr_div(x.get(), x.get(), density.get(), MPFR_RNDN);
  mpfr_div(far.get(), density.get(), tail.get(), MPFR_RNDN);
  mpfr_div_ui(far.get(), far.get(), 12, MPFR_RNDN);
  mpfr_cbrt(far.get(), far.get(), MPFR_RNDN);
  if (mpfr_cmp_ui(far.get(), 1) >= 0) mpfr_max(x.get(), x.get(), far.get(), MPFR_RNDN);
}

void start_near(const TailFunction& function, const PreciseNumber& tail, PreciseNumber& x) {
  const double guess = function.guess(mpfr_get_d(tail.get(), MPFR_RNDN));
  if (std::isfinite(guess) && guess > 0.0) {
    mpfr_set_d(x.get(), guess, MPFR_RNDN);
  } else {
    start_left(function, tail, x);
  }
}

void search(const TailFunction& function, const PreciseNumber& tail, mpfr_prec_t wanted, PreciseNumber& x) {
  start_near(function, tail, x);
  PreciseInterval value(x.precision());
  PreciseNumber density(x.precision());
  for (int i = 0; i < most_newton_steps; ++i) {
    function.tail_at(x, value);
    function.density_at(x, density);
    mpfr_ptr step = value.lower.get();
    mpfr_sub(step, step, tail.get(), MPFR_RNDN);
    mpfr_div(step, step, density.get(), MPFR_RNDN);
    mpfr_add(x.get(), x.get(), step, MPFR_RNDN);
    // A bad guess: not positive, or the density was so small that the step left all numbers.
    if (!mpfr_regular_p(x.get()) || mpfr_sgn(x.get()) <= 0) start_left(function, tail, x);
    // The error after a step is about the square of the step.
    else if (mpfr_zero_p(step) || mpfr_get_exp(step) < mpfr_get_exp(x.get()) - wanted / 2)
      return;
  }
}

// S(x) >= tail proves that x is not above the solution, S(x) <= tail that it is not below.
bool is_lower(const TailFunction& function, const PreciseNumber& tail, const PreciseNumber& x, PreciseInterval& value) {
  function.tail_at(x, value);
  return mpfr_cmp(value.lower.get(), tail.get()) >= 0;
}
bool is_upper(const TailFunction& function, const PreciseNumber& tail, const PreciseNumber& x, PreciseInterval& value) {
  function.tail_at(x, value);
  return mpfr_cmp(value.upper.get(), tail.get()) <= 0;
}

constexpr mpfr_prec_t double_precision = 53;
constexpr mpfr_prec_t enough_for_double = 64;

class LawWithTail final : public QuantileLaw {
 public:
  explicit LawWithTail(std::unique_ptr<const TailFunction> tail) : tail_(std::move(tail)) {}

  DoubleInterval magnitude_at(double tail) const override {
    PreciseNumber exact(double_precision);
    PreciseInterval magnitude(enough_for_double);
    mpfr_set_d(exact.get(), tail, MPFR_RNDN);
    magnitude_at(exact, magnitude);
    return to_doubles(magnitude);
  }
  void magnitude_at(const PreciseNumber& tail, PreciseInterval& magnitude) const override {
    invert_tail(*tail_, tail, magnitude);
  }

 private:
  std::unique_ptr<const TailFunction> tail_;
};

}  // namespace

void invert_tail(const TailFunction& function, const PreciseNumber& tail, PreciseInterval& x) {
  mpfr_set_zero(x.lower.get(), 1);
  mpfr_set_zero(x.upper.get(), 1);
  if (mpfr_cmp_ui(tail.get(), 1) >= 0) return;
  mpfr_set_inf(x.upper.get(), 1);
  if (mpfr_zero_p(tail.get())) {
    mpfr_set_inf(x.lower.get(), 1);
    return;
  }
  const mpfr_prec_t precision = x.lower.precision();
  // S is computed with an error of about 2^-working: that must resolve both the tail and its distance from 1.
  const mpfr_prec_t tail_bits = std::max<mpfr_prec_t>(0, -mpfr_get_exp(tail.get()));
  const mpfr_prec_t working = precision + tail.precision() + tail_bits + spare_precision;
  PreciseNumber near(working);
  search(function, tail, precision + 8, near);

  PreciseInterval value(working);
  PreciseNumber margin(working);
  for (mpfr_prec_t bits = precision - 2; bits > 0; bits -= 4) {
    mpfr_div_2si(margin.get(), near.get(), bits, MPFR_RNDN);
    mpfr_sub(x.lower.get(), near.get(), margin.get(), MPFR_RNDD);
    if (mpfr_sgn(x.lower.get()) > 0 && is_lower(function, tail, x.lower, value)) break;
    mpfr_set_zero(x.lower.get(), 1);
  }
  for (mpfr_prec_t bits = precision - 2; bits > 0; bits -= 4) {
    mpfr_div_2si(margin.get(), near.get(), bits, MPFR_RNDN);
    mpfr_add(x.upper.get(), near.get(), margin.get(), MPFR_RNDU);
    if (mpfr_sgn(x.upper.get()) > 0 && is_upper(function, tail, x.upper, value)) break;
    mpfr_set_inf(x.upper.get(), 1);
  }
}

std::shared_ptr<const QuantileLaw> law_with_tail(std::unique_ptr<const TailFunction> tail) {
  return std::make_shared<const LawWithTail>(std::move(tail));
}

}  // namespace tacit
