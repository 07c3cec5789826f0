#include "noise/sampling/precise_arithmetic.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tacit {
namespace {

// Operands are short intervals around random numbers; results are compared with those numbers in 300 bits.
class PreciseArithmetic : public testing::Test {
 protected:
  double any(double lower, double upper) { return std::uniform_real_distribution<double>(lower, upper)(random_); }
  static void expect_contains(const PreciseInterval& interval, mpfr_srcptr exact) {
    EXPECT_LE(mpfr_cmp(interval.lower.get(), exact), 0);
    EXPECT_GE(mpfr_cmp(interval.upper.get(), exact), 0);
    EXPECT_LE(mpfr_cmp(interval.lower.get(), interval.upper.get()), 0);
  }
  std::mt19937_64 random_{5};
};

TEST_F(PreciseArithmetic, ContainsTheExactResultForEverySign) {
  PreciseNumber exact(300);
  PreciseNumber left(300);
  for (int i = 0; i < 3000; ++i) {
    PreciseInterval a(12);
    PreciseInterval b(12);
    PreciseInterval result(12);
    const double x = any(-4, 4);
    const double y = any(0.001, 4);
    set_to(a, x);
    set_to(b, y);
    mpfr_set_d(left.get(), x, MPFR_RNDN);

    add(result, a, b);
    mpfr_add_d(exact.get(), left.get(), y, MPFR_RNDN);
    expect_contains(result, exact.get());
    subtract(result, a, b);
    mpfr_sub_d(exact.get(), left.get(), y, MPFR_RNDN);
    expect_contains(result, exact.get());
    negate(result);
    mpfr_neg(exact.get(), exact.get(), MPFR_RNDN);
    expect_contains(result, exact.get());
    multiply(result, a, b);
    mpfr_mul_d(exact.get(), left.get(), y, MPFR_RNDN);
    expect_contains(result, exact.get());
    divide(result, a, b);
    mpfr_div_d(exact.get(), left.get(), y, MPFR_RNDN);
    expect_contains(result, exact.get());
    set_to(result, a);
    apply(mpfr_atan, result);
    mpfr_atan(exact.get(), left.get(), MPFR_RNDN);
    expect_contains(result, exact.get());
    divide(a, a, b);  // in place
    mpfr_div_d(exact.get(), left.get(), y, MPFR_RNDN);
    expect_contains(a, exact.get());
  }
}

TEST_F(PreciseArithmetic, WideIntervalsAroundZeroKeepBothEnds) {
  PreciseInterval a(30);
  PreciseInterval b(30);
  mpfr_set_d(a.lower.get(), -2.0, MPFR_RNDN);
  mpfr_set_d(a.upper.get(), 3.0, MPFR_RNDN);
  mpfr_set_d(b.lower.get(), 0.5, MPFR_RNDN);
  mpfr_set_d(b.upper.get(), 4.0, MPFR_RNDN);
  PreciseInterval result(30);
  multiply(result, a, b);
  EXPECT_EQ(mpfr_get_d(result.lower.get(), MPFR_RNDN), -8.0);
  EXPECT_EQ(mpfr_get_d(result.upper.get(), MPFR_RNDN), 12.0);
  divide(result, a, b);
  EXPECT_EQ(mpfr_get_d(result.lower.get(), MPFR_RNDN), -4.0);
  EXPECT_EQ(mpfr_get_d(result.upper.get(), MPFR_RNDN), 6.0);
  keep_at_least(result, -1.0);
  keep_at_most(result, 2.0);
  const DoubleInterval kept = to_doubles(result);
  EXPECT_EQ(kept.lower, -1.0);
  EXPECT_EQ(kept.upper, 2.0);
}

TEST_F(PreciseArithmetic, DoublesAroundPiAreNeighbours) {
  PreciseInterval pi(200);
  set_to_pi(pi);
  const DoubleInterval doubles = to_doubles(pi);
  EXPECT_EQ(next_up(doubles.lower), doubles.upper);
  EXPECT_EQ(doubles.lower, 0x1.921fb54442d18p+1);
}

}  // namespace
}  // namespace tacit
