#include "budget/amount.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/decimal.hpp"
#include "base/value.hpp"

namespace tacit {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Amount charge(double epsilon, double delta = 0.0) {
  const auto amount = charge_rounded_up(Epsilon{epsilon}, Delta{delta});
  EXPECT_TRUE(amount) << epsilon << " " << delta;
  return amount.value_or(Amount{-1, -1});
}

Amount allowance(double epsilon, double delta = 0.0) {
  return allowance_rounded_down({Epsilon{epsilon}, Delta{delta}});
}

TEST(Amount, DecimalsMeanWhatTheirWriterMeant) {
  EXPECT_EQ(charge(0.1), (Amount{100'000'000, 0}));
  EXPECT_EQ(charge(0.3), (Amount{300'000'000, 0}));
  EXPECT_EQ(allowance(0.3), (Amount{300'000'000, 0}));
  EXPECT_EQ(allowance(20.0, 5e-7), (Amount{20'000'000'000, 500'000'000'000}));
  EXPECT_EQ(charge(1.0, 1e-9), (Amount{1'000'000'000, 1'000'000'000}));
}

TEST(Amount, ChargesAreRoundedUpAndAllowancesDown) {
  EXPECT_EQ(charge(1e-9), (Amount{1, 0}));
  EXPECT_EQ(charge(1.1e-9), (Amount{2, 0}));
  EXPECT_EQ(allowance(1.9e-9), (Amount{1, 0}));
  EXPECT_EQ(charge(1.0 / 3.0), (Amount{333'333'334, 0}));
  EXPECT_EQ(allowance(1.0 / 3.0), (Amount{333'333'333, 0}));
  EXPECT_EQ(charge(1.0, 1.5e-18).delta_units, 2);
  EXPECT_EQ(allowance(1.0, 1.5e-18).delta_units, 1);
}

TEST(Amount, TheLeastChargeIsOneUnit) {
  for (const double tiny : {1e-11, 1e-30, 1e-300, std::numeric_limits<double>::denorm_min()}) {
    EXPECT_EQ(charge(tiny, tiny), (Amount{1, 1 + (tiny > 1e-18 ? 9'999'999 : 0)})) << tiny;
    EXPECT_EQ(allowance(tiny).epsilon_units, 0) << tiny;
  }
}

TEST(Amount, RefusesChargesThatMakeNoSense) {
  for (const double epsilon : {0.0, -0.0, -1.0, nan, infinity, -infinity, 1e10, 1e300}) {
    const auto amount = charge_rounded_up(Epsilon{epsilon}, Delta{0.0});
    ASSERT_FALSE(amount) << epsilon;
    EXPECT_EQ(amount.error().code, FailureCode::usage);
    EXPECT_NE(amount.error().what.find("epsilon"), std::string::npos);
    EXPECT_FALSE(amount.error().hint.empty());
  }
  for (const double delta : {-1e-9, nan, infinity, -infinity, 1.0, 2.0}) {
    const auto amount = charge_rounded_up(Epsilon{1.0}, Delta{delta});
    ASSERT_FALSE(amount) << delta;
    EXPECT_EQ(amount.error().code, FailureCode::usage);
    EXPECT_NE(amount.error().what.find("delta"), std::string::npos);
  }
}

TEST(Amount, RefusesGrantsThatTakeAway) {
  for (const double bad : {-1e-12, -1.0, nan, infinity}) {
    EXPECT_EQ(grant_rounded_down(Epsilon{bad}, Delta{0.0}).error().code, FailureCode::usage);
    EXPECT_EQ(grant_rounded_down(Epsilon{0.0}, Delta{bad}).error().code, FailureCode::usage);
  }
  EXPECT_EQ(grant_rounded_down(Epsilon{0.0}, Delta{0.0}).value(), Amount{});
  EXPECT_EQ(grant_rounded_down(Epsilon{1e300}, Delta{0.0}).value(), (Amount{most_units, 0}));
}

TEST(Amount, AllowancesThatMakeNoSenseAllowNothing) {
  for (const double bad : {0.0, -1.0, nan, -infinity}) EXPECT_EQ(allowance(bad, bad), Amount{}) << bad;
  EXPECT_EQ(allowance(infinity, 1e9), (Amount{most_units, most_units}));
}

TEST(Amount, SumsDoNotOverflow) {
  const Amount most{most_units, most_units};
  EXPECT_EQ(sum_saturating(most, most), most);
  EXPECT_EQ(sum_saturating(most, Amount{1, 0}), most);
  EXPECT_EQ(sum_saturating({1, 2}, {3, 4}), (Amount{4, 6}));
  EXPECT_EQ(rest_of({5, 5}, {3, 7}), (Amount{2, 0}));
  EXPECT_EQ(smaller_of({5, 1}, {3, 7}), (Amount{3, 1}));
}

RC_GTEST_PROP(Amount, UnitsBracketTheDecimalWithinOneUnit, ()) {
  const double mantissa =
      static_cast<double>(*rc::gen::inRange<std::int64_t>(100'000'000'000'000, 9'000'000'000'000'000));
  const double value = mantissa / 1e15 * std::pow(10.0, *rc::gen::inRange(-14, 9));
  const Decimal meant = parse_decimal(to_string(value)).value();
  const Decimal up{charge(value).epsilon_units, epsilon_digits};
  const Decimal down{allowance(value).epsilon_units, epsilon_digits};
  RC_ASSERT(down <= meant);
  RC_ASSERT(meant <= up);
  RC_ASSERT(up.units - down.units <= 1);
}

RC_GTEST_PROP(Amount, DoublesComeBackInTheNamedDirection, ()) {
  const auto bits = *rc::gen::inRange(1, 63);
  const auto units = *rc::gen::inRange<std::int64_t>(0, std::min(most_units, (std::int64_t{1} << bits) - 1) + 1);
  for (const int digits : {epsilon_digits, delta_digits}) {
    const Decimal exact{units, digits};
    const Decimal up = parse_decimal(to_string(to_double_rounded_up(units, digits))).value();
    const Decimal down = parse_decimal(to_string(to_double_rounded_down(units, digits))).value();
    RC_ASSERT(down <= exact);
    RC_ASSERT(exact <= up);
    if (units < 1'000'000'000'000'000) RC_ASSERT(up == exact && down == exact);
  }
}

TEST(Amount, LargeAmountsAreShownInTheNamedDirection) {
  const std::int64_t units = 8'999'999'999'999'999'999;
  EXPECT_GE(to_double_rounded_up(units, 9), 9e9);
  EXPECT_LT(to_double_rounded_down(units, 9), 9e9);
}

}  // namespace
}  // namespace tacit
