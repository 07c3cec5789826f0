#include "sql/functions/real_range.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace tacit {
namespace {

RealRange between(double lo, double hi) { return {{lo, true}, {hi, true}}; }

bool inside(const std::optional<RealRange>& range, double value) {
  return range && range->lo.value <= value && value <= range->hi.value;
}

// Magnitudes from 1e-150 to 1e90, both signs, and zero.
double any_double() {
  const double mantissa = static_cast<double>(*rc::gen::inRange(-100000, 100001)) / 7919.0;
  return mantissa * std::pow(10.0, *rc::gen::element(-150, -20, -3, 0, 0, 3, 40, 85));
}

struct RealOperand {
  RealRange range;
  double value;
};

RealOperand any_real_operand() {
  const double ends[] = {any_double(), any_double(), any_double()};
  const auto [lo, hi] = std::minmax({ends[0], ends[1], ends[2]});
  for (const double value : ends) {
    if (value != lo && value != hi) return {between(lo, hi), value};
  }
  return {between(lo, hi), lo};
}

RC_GTEST_PROP(RealRange, ArithmeticLandsInside, ()) {
  const RealOperand a = any_real_operand();
  const RealOperand b = any_real_operand();
  RC_ASSERT(inside(add(a.range, b.range), a.value + b.value));
  RC_ASSERT(inside(subtract(a.range, b.range), a.value - b.value));
  RC_ASSERT(inside(multiply(a.range, b.range), a.value * b.value));
  RC_ASSERT(inside(absolute(a.range), std::abs(a.value)));
  RC_ASSERT(inside(negate(a.range), -a.value));
  if (b.range.lo.value > 0.0 || b.range.hi.value < 0.0) {
    const auto quotient = divide(a.range, b.range);
    RC_ASSERT(!quotient || inside(quotient, a.value / b.value));
  }
}

RC_GTEST_PROP(RealRange, ReadingAnExactNumberLandsInside, (long long lo, unsigned width)) {
  const int scale = *rc::gen::inRange(0, 20);
  const Decimal ends[] = {{lo, scale}, {static_cast<Int128>(lo) + width, scale}};
  const Decimal value{static_cast<Int128>(lo) + width / 2, scale};
  RC_ASSERT(inside(to_real(ExactRange{{ends[0], true}, {ends[1], true}}), to_double(value)));
}

TEST(RealRange, BeyondTheLargestComputedDoubleIsEmpty) {
  EXPECT_TRUE(multiply(between(0, 1e100), between(0, 1e100)).has_value());
  EXPECT_FALSE(multiply(between(0, 1e200), between(0, 1e101)).has_value());
  EXPECT_FALSE(add(between(0, 1e300), between(0, 1e300)).has_value());
  EXPECT_FALSE(divide(between(1, 1e100), between(1e-250, 1)).has_value());
}

TEST(RealRange, WholeNumbersStayExact) {
  const RealRange range = to_real({{{0, 2}, true}, {{10000, 2}, true}});
  EXPECT_EQ(range.lo.value, 0.0);
  EXPECT_EQ(range.hi.value, 100.0);
  EXPECT_GT(to_real({{{0, 0}, true}, {{1, 1}, true}}).hi.value, 0.1);
}

}  // namespace
}  // namespace tacit
