#include "noise/sampling/double_interval.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "noise/sampling/precise_interval.hpp"

namespace tacit {
namespace {

using Enclosure = std::function<DoubleInterval(double)>;
using Precise = std::function<int(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>;
using Libm = std::function<double(double)>;

// Checks one point twice: the interval contains the true value, and the C library is within the assumed error.
void expect_point(double x, const Enclosure& enclose, const Precise& precise, const Libm& libm) {
  PreciseNumber exact(200);
  PreciseNumber argument(53);
  mpfr_set_d(argument.get(), x, MPFR_RNDN);
  precise(exact.get(), argument.get(), MPFR_RNDN);
  const DoubleInterval interval = enclose(x);
  ASSERT_LE(mpfr_cmp_d(exact.get(), interval.upper), 0) << std::hexfloat << x;
  ASSERT_GE(mpfr_cmp_d(exact.get(), interval.lower), 0) << std::hexfloat << x;

  PreciseNumber error(200);
  mpfr_d_sub(error.get(), libm(x), exact.get(), MPFR_RNDA);
  mpfr_abs(error.get(), error.get(), MPFR_RNDN);
  mpfr_abs(exact.get(), exact.get(), MPFR_RNDN);
  mpfr_mul_d(exact.get(), exact.get(), libm_relative_error, MPFR_RNDN);
  ASSERT_LE(mpfr_cmp(error.get(), exact.get()), 0) << std::hexfloat << x;
}

// Arguments of every magnitude, and dense around where the functions are delicate.
template <class Check>
void for_many_points(double least_exponent, double top, Check&& check) {
  std::mt19937_64 random(20240611);
  std::uniform_real_distribution<double> fraction(0.5, 1.0);
  std::uniform_real_distribution<double> exponent(least_exponent, 0.0);
  for (int i = 0; i < 20'000; ++i) {
    check(std::exp2(exponent(random)) * fraction(random) * top);
    check(fraction(random) * top);
  }
}

TEST(LibmAllowance, LogWithinAssumption) {
  const auto check = [](double x) { expect_point(x, enclose_log, mpfr_log, [](double v) { return std::log(v); }); };
  for_many_points(-1000, 1.0, check);
  for_many_points(-4, 0x1p60, check);
  double near_one = 1.0;
  for (int i = 0; i < 2'000; ++i) check(near_one = std::nextafter(near_one, 0.0));
  for (int k = 2; k < 52; ++k) check(1.0 - std::ldexp(1.0, -k));
  for (int k = 1; k < 1022; ++k) check(std::ldexp(1.0, -k));
}

TEST(LibmAllowance, Log1pWithinAssumption) {
  const auto check = [](double x) {
    expect_point(x, enclose_log1p, mpfr_log1p, [](double v) { return std::log1p(v); });
  };
  for_many_points(-1000, 1.0, check);
  for_many_points(-1000, -0.999, check);
  for_many_points(-4, 0x1p60, check);
}

TEST(LibmAllowance, Expm1WithinAssumption) {
  const auto check = [](double x) {
    expect_point(x, enclose_expm1, mpfr_expm1, [](double v) { return std::expm1(v); });
  };
  for_many_points(-1000, 1.0, check);
  for_many_points(-1000, -1.0, check);
  for_many_points(-4, 700.0, check);
  for_many_points(-4, -700.0, check);
}

TEST(DoubleInterval, ProductsAndSumsLieOnTheNamedSide) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-600, 600);
  PreciseNumber exact(400);
  PreciseNumber left(53);
  for (int i = 0; i < 20'000; ++i) {
    const double a = std::exp2(exponent(random));
    const double b = std::exp2(exponent(random));
    mpfr_set_d(left.get(), a, MPFR_RNDN);
    mpfr_mul_d(exact.get(), left.get(), b, MPFR_RNDN);
    ASSERT_GE(mpfr_cmp_d(exact.get(), multiply_down(a, b)), 0);
    ASSERT_LE(mpfr_cmp_d(exact.get(), multiply_up(a, b)), 0);
    // a / b lies above x exactly if a lies above x * b.
    mpfr_set_d(left.get(), divide_down(a, b), MPFR_RNDN);
    mpfr_mul_d(exact.get(), left.get(), b, MPFR_RNDN);
    ASSERT_LE(mpfr_cmp_d(exact.get(), a), 0);
    mpfr_set_d(left.get(), divide_up(a, b), MPFR_RNDN);
    mpfr_mul_d(exact.get(), left.get(), b, MPFR_RNDN);
    ASSERT_GE(mpfr_cmp_d(exact.get(), a), 0);
    mpfr_set_d(exact.get(), a, MPFR_RNDN);
    PreciseNumber sum(2200);
    mpfr_sub_d(sum.get(), exact.get(), b, MPFR_RNDN);
    ASSERT_GE(mpfr_cmp_d(sum.get(), add_down(a, -b)), 0);
    ASSERT_LE(mpfr_cmp_d(sum.get(), add_up(a, -b)), 0);
  }
  EXPECT_EQ(divide_down(0.0, 5.0), 0.0);
  EXPECT_EQ(divide_down(0x1p-1074, 4.0), 0.0);
  EXPECT_LT(divide_down(1.0, 0x1p-1074), std::numeric_limits<double>::infinity());
  EXPECT_GT(divide_up(0x1p-1074, 4.0), 0.0);
  EXPECT_EQ(multiply_down(0.0, 5.0), 0.0);
  EXPECT_GT(multiply_up(0x1p-1074, 0x1p-1074), 0.0);
  EXPECT_EQ(multiply_down(0x1p-1074, 0x1p-1074), 0.0);
}

}  // namespace
}  // namespace tacit
