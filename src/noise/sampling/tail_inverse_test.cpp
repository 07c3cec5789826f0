#include "noise/sampling/tail_inverse.hpp"

#include <gtest/gtest.h>

#include "noise/sampling/gen_cauchy_law.hpp"
#include "noise/sampling/precise_arithmetic.hpp"
#include "noise/sampling/student_t_law.hpp"

namespace tacit {
namespace {

// S(x) = exp(-x), inverse -ln v, with a guess and a density that may be anything.
class ExponentialTail final : public TailFunction {
 public:
  ExponentialTail(double guess, double density_factor) : guess_(guess), density_factor_(density_factor) {}
  void tail_at(const PreciseNumber& x, PreciseInterval& tail) const override {
    set_to(tail, x);
    negate(tail);
    apply(mpfr_exp, tail);
  }
  void density_at(const PreciseNumber& x, PreciseNumber& density) const override {
    mpfr_neg(density.get(), x.get(), MPFR_RNDN);
    mpfr_exp(density.get(), density.get(), MPFR_RNDN);
    mpfr_mul_d(density.get(), density.get(), density_factor_, MPFR_RNDN);
  }
  double guess(double) const override { return guess_; }

 private:
  double guess_;
  double density_factor_;
};

TEST(TailInverse, IsRightWhateverTheSearchDoes) {
  for (const double guess : {0.0, -1.0, 1e-300, 0.5, 700.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    for (const double factor : {1.0, 1.7, 0.3, 1e9, -1.0}) {
      for (const double v : {1 - 0x1p-53, 0.9, 0.5, 0.01, 1e-30, 1e-300}) {
        PreciseNumber tail(53);
        PreciseNumber exact(400);
        mpfr_set_d(tail.get(), v, MPFR_RNDN);
        mpfr_log(exact.get(), tail.get(), MPFR_RNDN);
        mpfr_neg(exact.get(), exact.get(), MPFR_RNDN);
        PreciseInterval x(90);
        invert_tail(ExponentialTail(guess, factor), tail, x);
        ASSERT_LE(mpfr_cmp(x.lower.get(), exact.get()), 0) << guess << " " << factor << " " << v;
        ASSERT_GE(mpfr_cmp(x.upper.get(), exact.get()), 0) << guess << " " << factor << " " << v;
      }
    }
  }
}

TEST(TailInverse, AGoodSearchGivesACloseEnclosure) {
  PreciseNumber tail(53);
  mpfr_set_d(tail.get(), 0.2, MPFR_RNDN);
  for (const mpfr_prec_t precision : {20, 64, 500}) {
    PreciseInterval x(precision);
    invert_tail(ExponentialTail(1.6, 1.0), tail, x);
    PreciseNumber width(precision);
    mpfr_sub(width.get(), x.upper.get(), x.lower.get(), MPFR_RNDU);
    EXPECT_LT(mpfr_get_exp(width.get()), 6 - precision);
  }
}

TEST(TailInverse, TailsBeyondTheDoublesAreStillClose) {
  // Far out |Y| > x has probability C / x^3, so 2^-3000 less is 2^1000 times more.
  for (const auto& law : {gen_cauchy_law(), student_t_law()}) {
    PreciseNumber near(64);
    PreciseNumber far(64);
    mpfr_set_ui_2exp(near.get(), 1, -600, MPFR_RNDN);
    mpfr_set_ui_2exp(far.get(), 1, -3600, MPFR_RNDN);
    PreciseInterval x(128);
    PreciseInterval y(128);
    law->magnitude_at(near, x);
    law->magnitude_at(far, y);
    mpfr_div(y.upper.get(), y.upper.get(), x.lower.get(), MPFR_RNDN);
    mpfr_div_2si(y.upper.get(), y.upper.get(), 1000, MPFR_RNDN);
    EXPECT_NEAR(mpfr_get_d(y.upper.get(), MPFR_RNDN), 1.0, 1e-15);
  }
}

}  // namespace
}  // namespace tacit
