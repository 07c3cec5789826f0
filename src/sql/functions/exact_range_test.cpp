#include "sql/functions/exact_range.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tacit {
namespace {

ExactRange between(Int128 lo, Int128 hi, int scale = 0, bool stated = true) {
  return {{{lo, scale}, stated}, {{hi, scale}, stated}};
}

struct Operand {
  ExactRange range;
  Decimal value;
};

// A value inside a range of the scale; the ends may be written with fewer digits.
Operand any_operand() {
  const int scale = *rc::gen::inRange(0, 4);
  const auto small =
      rc::gen::oneOf(rc::gen::inRange<long long>(-30, 31), rc::gen::inRange<long long>(-4000000, 4000001));
  const Int128 lo = *small;
  const Int128 hi = lo + *rc::gen::inRange<long long>(0, 5000);
  const Int128 value = lo + *rc::gen::inRange<long long>(0, static_cast<long long>(hi - lo) + 1);
  return {between(lo, hi, scale), {value, scale}};
}

RC_GTEST_PROP(ExactRange, SumsDifferencesAndProductsLandInside, ()) {
  const Operand a = any_operand();
  const Operand b = any_operand();
  RC_ASSERT(contains(*add(a.range, b.range), *add(a.value, b.value)));
  RC_ASSERT(contains(*subtract(a.range, b.range), *subtract(a.value, b.value)));
  RC_ASSERT(contains(*multiply(a.range, b.range), *multiply(a.value, b.value)));
  RC_ASSERT(contains(*negate(a.range), *negate(a.value)));
  const Decimal magnitude{a.value.units < 0 ? -a.value.units : a.value.units, a.value.scale};
  RC_ASSERT(contains(*absolute(a.range), magnitude));
}

RC_GTEST_PROP(ExactRange, QuotientsLandInside, ()) {
  const Operand a = any_operand();
  const Operand b = any_operand();
  RC_PRE(b.value.units != 0);
  const int scale = *rc::gen::inRange(3, 8);
  const Int128 numerator = a.value.units * power_of_ten(scale + b.value.scale - a.value.scale + 1);
  const Decimal cut{numerator / b.value.units, scale + 1};
  const Decimal step{1, b.value.scale};
  RC_ASSERT(
      contains(*divide(a.range, b.range, step, scale, QuotientRounding::half_away), *rescale_half_away(cut, scale)));
  const Decimal toward_zero{cut.units / 10, scale};
  RC_ASSERT(contains(*divide(a.range, b.range, step, scale, QuotientRounding::toward_zero), toward_zero));
}

RC_GTEST_PROP(ExactRange, RemaindersAndRoundingLandInside, ()) {
  const Operand a = any_operand();
  const Operand b = any_operand();
  const int scale = std::max(a.value.scale, b.value.scale);
  const Int128 divisor = rescale(b.value, scale)->units;
  if (divisor != 0) {
    const Decimal rest{rescale(a.value, scale)->units % divisor, scale};
    RC_ASSERT(contains(*modulo(a.range, b.range, scale), rest));
  }
  const int fewer = *rc::gen::inRange(0, a.value.scale + 1);
  RC_ASSERT(contains(*round_half_away(a.range, fewer), *rescale_half_away(a.value, fewer)));
  RC_ASSERT(contains(*round_down(a.range, fewer), *rescale_down(a.value, fewer)));
  RC_ASSERT(contains(*round_up(a.range, fewer), *rescale_up(a.value, fewer)));
}

RC_GTEST_PROP(ExactRange, HullHoldsBothAndIntersectionHoldsWhatIsInBoth, ()) {
  const Operand a = any_operand();
  const Operand b = any_operand();
  const ExactRange both[] = {a.range, b.range};
  RC_ASSERT(contains(hull(both), a.value));
  RC_ASSERT(contains(hull(both), b.value));
  if (contains(b.range, a.value)) RC_ASSERT(contains(intersect(a.range, b.range), a.value));
  RC_ASSERT(contains(b.range, intersect(a.range, b.range)));
}

TEST(ExactRange, AnEndIsStatedWhenItsPartsAre) {
  ExactRange half = between(0, 1000);
  half.hi.stated = false;
  const ExactRange ten = between(1, 10);
  EXPECT_TRUE(add(half, ten)->lo.stated);
  EXPECT_FALSE(add(half, ten)->hi.stated);
  EXPECT_FALSE(subtract(ten, half)->lo.stated);
  EXPECT_TRUE(multiply(half, ten)->lo.stated);
  EXPECT_FALSE(multiply(half, ten)->hi.stated);
  EXPECT_TRUE(intersect(half, between(-5, 5000)).stated());
  EXPECT_EQ(intersect(half, between(-5, 5000)).hi.value, (Decimal{1000, 0}));
}

TEST(ExactRange, WhatDoesNotFitIsEmpty) {
  const Int128 most = power_of_ten(38) - 1;
  EXPECT_FALSE(add(between(0, most), between(0, 1)).has_value());
  EXPECT_FALSE(multiply(between(0, most), between(0, 2)).has_value());
  EXPECT_TRUE(multiply(between(0, most), between(-1, 1)).has_value());
  const Int128 smallest = std::get<ExactRange>(type_range(SqlType::integer(128))).lo.value.units;
  EXPECT_FALSE(negate(between(smallest, 0)).has_value());
  EXPECT_FALSE(absolute(between(smallest, 0)).has_value());
  EXPECT_EQ(digits_at_scale(between(smallest, 0), 0), 39);
  EXPECT_EQ(digits_at_scale(between(-1, 5), 38), 39);
  EXPECT_EQ(digits_at_scale(between(-999, 5, 2), 2), 3);
}

TEST(ExactRange, AZeroDivisorLeavesNothing) {
  const auto range = divide(between(-5, 5), between(0, 0), {1, 0}, 0, QuotientRounding::toward_zero);
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->lo.value, (Decimal{0, 0}));
  EXPECT_EQ(range->hi.value, (Decimal{0, 0}));
}

}  // namespace
}  // namespace tacit
