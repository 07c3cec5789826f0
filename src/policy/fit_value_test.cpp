#include "policy/fit_value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tacit {
namespace {

// A value that fits is the same number, never a rounded one.
RC_GTEST_PROP(FitValue, NumbersAreKeptExactlyOrRefused, (long long units)) {
  const int scale = *rc::gen::inRange(0, 12);
  const int precision = *rc::gen::inRange(1, 20);
  const int type_scale = *rc::gen::inRange(0, precision + 1);
  const Decimal number{units, scale};
  const auto fitted = fit_value(number, SqlType::decimal(precision, type_scale));
  const auto limit = power_of_ten(precision);
  const auto exact = rescale(number, type_scale);
  const bool fits = exact && exact->units < limit && exact->units > -limit;
  RC_ASSERT(fitted.has_value() == fits);
  if (fits) {
    RC_ASSERT(std::get<Decimal>(*fitted) == number);
    RC_ASSERT(std::get<Decimal>(*fitted).scale == type_scale);
  }
}

RC_GTEST_PROP(FitValue, IntegersStayWithinTheirBits, (long long units)) {
  const int bits = *rc::gen::element(8, 16, 32, 64);
  const auto fitted = fit_value(Decimal{units, 0}, SqlType::integer(bits));
  const Int128 limit = Int128{1} << (bits - 1);
  RC_ASSERT(fitted.has_value() == (units >= -limit && units < limit));
}

TEST(FitValue, DoublesAreFinite) {
  EXPECT_EQ(std::get<double>(*fit_value(Decimal{1, 1}, SqlType::real())), 0.1);
  EXPECT_EQ(std::get<double>(*fit_value(1e300, SqlType::real())), 1e300);
  EXPECT_FALSE(fit_value(1e300, SqlType::decimal(38, 0)));
  EXPECT_FALSE(fit_value(1e300, SqlType::integer(128)));
  EXPECT_FALSE(fit_value(true, SqlType::real()));
  EXPECT_FALSE(fit_value(Null{}, SqlType::text()));
}

TEST(CompareValues, OnlyWhatCompares) {
  EXPECT_TRUE(*compare_bounds(Decimal{1, 0}, 1e300) < 0);
  EXPECT_TRUE(*compare_bounds(Decimal{10, 1}, Decimal{1, 0}) == 0);
  EXPECT_TRUE(*compare_bounds(Date{1}, Timestamp{86'400'000'000}) == 0);
  EXPECT_TRUE(*compare_bounds(Date{1}, Timestamp{86'400'000'001}) < 0);
  EXPECT_FALSE(compare_bounds(Decimal{1, 0}, Date{1}));
  EXPECT_FALSE(compare_bounds(std::string("a"), std::string("b")));
}

TEST(ValueLess, TellsEqualNumbersOfDifferentSpelling) {
  const ValueLess less;
  EXPECT_FALSE(less(Decimal{1, 0}, Decimal{10, 1}));
  EXPECT_FALSE(less(Decimal{10, 1}, Decimal{1, 0}));
  EXPECT_TRUE(less(std::string("a"), std::string("b")));
  EXPECT_FALSE(less(Null{}, Null{}));
}

}  // namespace
}  // namespace tacit
