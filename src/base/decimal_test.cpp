#include "base/decimal.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

namespace tacit {
namespace {

constexpr Int128 smallest_units = -static_cast<Int128>(~UInt128{0} >> 1) - 1;

// units and scale, spelt out: what the comparison of values does not show.
std::string spelt(const std::optional<Decimal>& value) {
  return value ? to_string(value->units) + "/" + std::to_string(value->scale) : "nothing";
}

rc::Gen<Decimal> any_decimal(int digits = 18) {
  const auto limit = static_cast<std::int64_t>(power_of_ten(digits));
  return rc::gen::apply(
      [](std::int64_t units, int scale) {
        return Decimal{units, scale};
      },
      rc::gen::inRange<std::int64_t>(-limit + 1, limit), rc::gen::inRange(0, digits + 1));
}

TEST(Decimal, ReadsWhatPeopleWrite) {
  EXPECT_EQ(spelt(parse_decimal("12")), "12/0");
  EXPECT_EQ(spelt(parse_decimal("-0.050")), "-50/3");
  EXPECT_EQ(spelt(parse_decimal("+1.5")), "15/1");
  EXPECT_EQ(spelt(parse_decimal(".5")), "5/1");
  EXPECT_EQ(spelt(parse_decimal("-.5")), "-5/1");
  EXPECT_EQ(spelt(parse_decimal("5.")), "5/0");
  EXPECT_EQ(spelt(parse_decimal("1e3")), "1000/0");
  EXPECT_EQ(spelt(parse_decimal("1.5E-2")), "15/3");
  EXPECT_EQ(spelt(parse_decimal("1.5e+1")), "15/0");
  EXPECT_EQ(spelt(parse_decimal("0.001e40")), to_string(power_of_ten(37)) + "/0");
}

TEST(Decimal, RefusesWhatIsNoNumber) {
  for (const char* text : {"",
                           ".",
                           "-",
                           "+.",
                           "e5",
                           "1e",
                           "1e+",
                           "1e-",
                           "1e+-5",
                           "1e--5",
                           ".-5",
                           ".+5",
                           "1.-5",
                           "1.2.3",
                           "--1",
                           "1 ",
                           " 1",
                           "1,5",
                           "1e1.5",
                           "1e5e5",
                           "0x10",
                           "nan",
                           "inf",
                           "1_0",
                           "1e99999999999",
                           "1e-2147483648",
                           "1e2147483648"}) {
    EXPECT_EQ(spelt(parse_decimal(text)), "nothing") << text;
  }
}

TEST(Decimal, RefusesWhatDoesNotFit) {
  EXPECT_EQ(spelt(parse_decimal("1e39")), "nothing");
  EXPECT_EQ(spelt(parse_decimal("1e-39")), "nothing");
  EXPECT_EQ(spelt(parse_decimal("1e1000")), "nothing");
  EXPECT_EQ(spelt(parse_decimal("0." + std::string(38, '0') + "1")), "nothing");
  EXPECT_EQ(spelt(parse_decimal(std::string(40, '9'))), "nothing");
  EXPECT_EQ(spelt(parse_decimal(std::string(10'000'000, '9'))), "nothing");
}

TEST(Decimal, ZerosThatCarryNoValueDoNotMakeANumberUnreadable) {
  EXPECT_EQ(parse_decimal("1000e-40"), (Decimal{1, 37}));
  EXPECT_EQ(parse_decimal("-10e-39"), (Decimal{-1, 38}));
  EXPECT_EQ(parse_decimal("123." + std::string(60, '0')), (Decimal{123, 0}));
  EXPECT_EQ(parse_decimal("-0." + std::string(90, '0')), (Decimal{0, 0}));
  EXPECT_EQ(parse_decimal("0e500"), (Decimal{0, 0}));
  EXPECT_EQ(parse_decimal("0e-500"), (Decimal{0, 0}));
  EXPECT_EQ(parse_decimal(std::string(60, '0') + "7"), (Decimal{7, 0}));
}

TEST(Decimal, PrintsAllDigitsOfItsScale) {
  EXPECT_EQ(to_string(Decimal{5, 2}), "0.05");
  EXPECT_EQ(to_string(Decimal{-5, 2}), "-0.05");
  EXPECT_EQ(to_string(Decimal{-150, 2}), "-1.50");
  EXPECT_EQ(to_string(Decimal{0, 3}), "0.000");
  EXPECT_EQ(to_string(Decimal{7, 0}), "7");
  EXPECT_EQ(to_string(Decimal{1, 38}), "0." + std::string(37, '0') + "1");
  EXPECT_EQ(to_string(Decimal{smallest_units, 38}), "-1.70141183460469231731687303715884105728");
}

TEST(Decimal, TheSmallestNumberReadsBack) {
  for (const int scale : {0, 1, 38}) {
    const Decimal value{smallest_units, scale};
    EXPECT_EQ(spelt(parse_decimal(to_string(value))), spelt(value));
  }
}

TEST(Decimal, ComparesByValueAtAnyScale) {
  EXPECT_EQ((Decimal{10, 1}), (Decimal{1, 0}));
  EXPECT_LT((Decimal{-5, 1}), (Decimal{3, 1}));
  EXPECT_GT((Decimal{-1, 38}), (Decimal{-1, 0}));
  EXPECT_GT((Decimal{power_of_ten(38), 0}), (Decimal{1, 38}));
  EXPECT_LT((Decimal{smallest_units, 0}), (Decimal{smallest_units, 38}));
}

TEST(Decimal, RescalesExactlyOrNotAtAll) {
  EXPECT_EQ(spelt(rescale({150, 2}, 1)), "15/1");
  EXPECT_EQ(spelt(rescale({151, 2}, 1)), "nothing");
  EXPECT_EQ(spelt(rescale({1, 0}, 38)), to_string(power_of_ten(38)) + "/38");
  EXPECT_EQ(spelt(rescale({2, 0}, 38)), "nothing");
  EXPECT_EQ(spelt(rescale({1, 0}, 39)), "nothing");
  EXPECT_EQ(spelt(rescale({1, 0}, -1)), "nothing");
}

TEST(Decimal, RoundsInTheNamedDirection) {
  struct Case {
    int units, down, up, half_away;
  };
  for (const Case& c : {Case{14, 1, 2, 1}, Case{15, 1, 2, 2}, Case{16, 1, 2, 2}, Case{-14, -2, -1, -1},
                        Case{-15, -2, -1, -2}, Case{-16, -2, -1, -2}, Case{10, 1, 1, 1}, Case{0, 0, 0, 0}}) {
    EXPECT_EQ(rescale_down({c.units, 1}, 0), (Decimal{c.down, 0})) << c.units;
    EXPECT_EQ(rescale_up({c.units, 1}, 0), (Decimal{c.up, 0})) << c.units;
    EXPECT_EQ(rescale_half_away({c.units, 1}, 0), (Decimal{c.half_away, 0})) << c.units;
  }
}

TEST(Decimal, ArithmeticSaysWhenItDoesNotFit) {
  EXPECT_EQ(spelt(add({power_of_ten(38), 0}, {power_of_ten(38), 0})), "nothing");
  EXPECT_EQ(spelt(subtract({smallest_units, 0}, {1, 0})), "nothing");
  EXPECT_EQ(spelt(negate({smallest_units, 0})), "nothing");
  EXPECT_EQ(spelt(multiply({1, 20}, {1, 20})), "nothing");
  EXPECT_EQ(spelt(multiply({power_of_ten(20), 0}, {power_of_ten(20), 0})), "nothing");
  EXPECT_EQ(spelt(multiply({150, 2}, {20, 1})), "30/1");
  EXPECT_EQ(spelt(add({15, 1}, {25, 2})), "175/2");
}

TEST(Decimal, CountsDigits) {
  EXPECT_EQ(digits(0), 1);
  EXPECT_EQ(digits(-9), 1);
  EXPECT_EQ(digits(10), 2);
  EXPECT_EQ(digits(power_of_ten(38)), 39);
  EXPECT_EQ(digits(smallest_units), 39);
}

TEST(Decimal, TheNearestDouble) {
  EXPECT_EQ(to_double({1, 1}), 0.1);
  EXPECT_EQ(to_double({-15, 1}), -1.5);
  EXPECT_EQ(to_double({1, 38}), 1e-38);
  EXPECT_EQ(to_double({9'007'199'254'740'993, 0}), 9'007'199'254'740'992.0);
}

RC_GTEST_PROP(DecimalProperty, TextReadsBackWithItsScale, ()) {
  const auto value = *any_decimal();
  RC_ASSERT(spelt(parse_decimal(to_string(value))) == spelt(value));
}

RC_GTEST_PROP(DecimalProperty, ExponentsMoveThePoint, ()) {
  const auto value = *any_decimal(9);
  const int shift = *rc::gen::inRange(-9, 10);
  const auto moved = parse_decimal(to_string(value) + "e" + std::to_string(shift));
  RC_ASSERT(moved.has_value());
  const auto factor = shift < 0 ? Decimal{1, -shift} : Decimal{power_of_ten(shift), 0};
  RC_ASSERT(*moved == *multiply(value, factor));
}

RC_GTEST_PROP(DecimalProperty, OrderIsThatOfTheDifference, ()) {
  const auto a = *any_decimal();
  const auto b = *any_decimal();
  const auto difference = subtract(a, b);
  RC_ASSERT(difference.has_value());
  RC_ASSERT((a <=> b) == (*difference <=> Decimal{0, 0}));
}

RC_GTEST_PROP(DecimalProperty, RoundingBracketsTheValueWithinOneStep, ()) {
  const auto value = *any_decimal();
  const int scale = *rc::gen::inRange(0, 19);
  const auto below = rescale_down(value, scale);
  const auto above = rescale_up(value, scale);
  const auto nearest = rescale_half_away(value, scale);
  RC_ASSERT(below && above && nearest);
  RC_ASSERT(*below <= value && value <= *above);
  RC_ASSERT(above->units - below->units <= 1);
  RC_ASSERT(*nearest == *below || *nearest == *above);
  // Twice the distance to the nearest is at most one step.
  const auto distance = subtract(value, *nearest);
  RC_ASSERT(distance.has_value());
  const auto twice = add(*distance, *distance);
  RC_ASSERT(twice.has_value());
  RC_ASSERT(*twice <= (Decimal{1, scale}) && (Decimal{-1, scale}) <= *twice);
}

RC_GTEST_PROP(DecimalProperty, RescaleKeepsTheValueOrRefuses, ()) {
  const auto value = *any_decimal();
  const int scale = *rc::gen::inRange(0, 39);
  const auto same = rescale(value, scale);
  if (same) {
    RC_ASSERT(*same == value && same->scale == scale);
  } else {
    RC_ASSERT(scale < value.scale || scale + 18 >= 38);
  }
}

RC_GTEST_PROP(DecimalProperty, MultiplicationDistributes, ()) {
  const auto a = *any_decimal(9);
  const auto b = *any_decimal(9);
  const auto c = *any_decimal(9);
  RC_ASSERT(*multiply(a, *add(b, c)) == *add(*multiply(a, b), *multiply(a, c)));
  RC_ASSERT(*add(a, *negate(a)) == (Decimal{0, 0}));
}

RC_GTEST_PROP(DecimalProperty, DoublesAreWithinHalfAnUlp, ()) {
  const auto value = *any_decimal();
  const double nearest = to_double(value);
  const auto exact = static_cast<long double>(value.units) / std::pow(10.0L, value.scale);
  const double gap = std::nextafter(std::abs(nearest), HUGE_VAL) - std::abs(nearest);
  RC_ASSERT(std::abs(static_cast<long double>(nearest) - exact) <= 0.501L * gap);
}

}  // namespace
}  // namespace tacit
