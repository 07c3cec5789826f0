#include "mechanism/users/group_selection.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/check.hpp"

namespace tacit {
namespace {

struct Price {
  double epsilon;
  double delta;
  int groups;
};

TEST(GroupSelection, ThresholdsAsCorrected) {
  const auto tau = [](double epsilon, int groups, double delta) {
    return selection_threshold_up(Epsilon(epsilon), Delta(delta), groups);
  };
  EXPECT_NEAR(tau(1, 1, 1e-5), 11.819778, 1e-6);
  EXPECT_NEAR(tau(1, 1, 1e-9), 21.030119, 1e-6);
  EXPECT_NEAR(tau(std::log(3.0), 1, 1e-5), 10.848587, 1e-6);
  EXPECT_NEAR(tau(1, 5, 1e-5), 63.146061, 1e-6);
  EXPECT_NEAR(tau(0.1, 1, 6.78e-7), 136.109714, 1e-6);
  EXPECT_NEAR(tau(0.1, 5, 2.07e-4), 470.949984, 1e-6);
  EXPECT_NEAR(tau(2, 10, 1e-12), 147.202295, 1e-6);
  EXPECT_NEAR(tau(0.5, 1, 1e-5), 22.639557, 1e-6);    // one aggregate and the choice of groups share epsilon 1
  EXPECT_NEAR(tau(0.25, 2, 1e-6), 111.524082, 1e-6);  // three of them
}

// A lone user is shown with chance at most d, counted after rounding to integers.
TEST(GroupSelection, AThresholdNeverShowsALoneUserMoreOftenThanDelta) {
  for (const Price& price : {Price{1, 1e-5, 1}, {0.3, 1e-9, 4}, {2, 0.9, 1}, {1, 0.3, 2}, {0.01, 1e-12, 7}}) {
    const double tau = selection_threshold_up(Epsilon(price.epsilon), Delta(price.delta), price.groups);
    EXPECT_GE(tau, 1.0);
    const double d = -std::expm1(std::log1p(-price.delta) / price.groups);
    const double distance = rounded_threshold(tau) - 0.5 - 1.0;
    EXPECT_GE(distance, tau - 1.0);
    EXPECT_LE(0.5 * std::exp(-(tau - 1.0) * price.epsilon / price.groups), d * (1 + 1e-12)) << price.epsilon;
  }
}

TEST(GroupSelection, TheRuleIsTheRecurrenceOfTheProof) {
  const auto showing = [](Price price, Int128 users) {
    return OptimalSelection(Epsilon(price.epsilon), Delta(price.delta), price.groups).chance(users).showing();
  };
  // Computed with 40 digits from p(n+1) = min(exp(e) p + d, 1 - exp(-e) (1 - p - d), 1).
  EXPECT_NEAR(showing({1, 1e-5, 1}, 1), 1e-5, 1e-13);
  EXPECT_NEAR(showing({1, 1e-5, 1}, 5), 0.000857910248837216, 1e-11);
  EXPECT_NEAR(showing({1, 1e-5, 1}, 11), 0.348447738453313, 1e-8);
  EXPECT_NEAR(showing({1, 1e-5, 1}, 12), 0.760310996922627, 1e-8);
  EXPECT_NEAR(showing({1, 1e-5, 1}, 20), 0.999925411111903, 1e-8);
  EXPECT_NEAR(showing({0.5, 1e-9, 3}, 100), 0.0318110196259834, 1e-8);
  EXPECT_NEAR(showing({0.5, 1e-9, 3}, 130), 0.947400566810209, 1e-8);
  EXPECT_NEAR(showing({0.5, 1e-9, 3}, 200), 0.999999550801009, 1e-8);
}

const std::vector<Price> prices{{1, 1e-5, 1},     {0.5, 1e-9, 3},    {0.1, 1e-6, 1},   {4, 1e-12, 1},
                                {16, 1e-9, 1},    {300, 1e-5, 2},    {1e-3, 1e-8, 1},  {1e-4, 1e-3, 1},
                                {3e-6, 1e-2, 1},  {1e-7, 1e-3, 1},   {1, 0.5, 1},      {1, 0.999, 1},
                                {0.7, 1e-300, 1}, {0.01, 1e-15, 10}, {0.9, 1e-9, 100}, {12, 1e-4, 1}};

// The four inequalities of group_selection.md on the very doubles that are drawn, in 64-bit arithmetic: the slack of
// the rule is 2^-46 of each side at least.
TEST(GroupSelection, NeighbouringCountsAreWithinThePrice) {
  for (const Price& price : prices) {
    const OptimalSelection rule(Epsilon(price.epsilon), Delta(price.delta), price.groups);
    const long double factor = std::exp(static_cast<long double>(price.epsilon) / price.groups);
    const long double d = -std::expm1(std::log1p(-static_cast<long double>(price.delta)) / price.groups);
    const auto sides = [&](Int128 users) {
      const ShowChance chance = rule.chance(users);
      EXPECT_TRUE(chance.chance >= 0.0 && chance.chance <= 1.0);
      const auto given = static_cast<long double>(chance.chance);
      return chance.of_hiding ? std::pair(1.0L - given, given) : std::pair(given, 1.0L - given);
    };
    EXPECT_EQ(sides(0).first, 0.0L);
    const auto check_from = [&](Int128 first) {
      for (Int128 n = std::max(first, Int128{0}); n < first + 20'000; ++n) {
        const auto [shown, hidden] = sides(n);
        const auto [more_shown, less_hidden] = sides(n + 1);
        ASSERT_LE(more_shown, factor * shown + d) << price.epsilon << ' ' << static_cast<long long>(n);
        ASSERT_LE(hidden, factor * less_hidden + d) << price.epsilon << ' ' << static_cast<long long>(n);
        ASSERT_LE(shown, factor * more_shown + d);
        ASSERT_LE(less_hidden, factor * hidden + d);
      }
    };
    check_from(0);
    for (const double probability : {0.5, 1.0}) check_from(rule.users_for(probability) - 10'000);
  }
}

TEST(GroupSelection, ShowsMoreThanAThresholdAtTheSamePrice) {
  for (const Price& price : {Price{1, 1e-5, 1}, {0.5, 1e-9, 3}, {0.1, 1e-6, 1}}) {
    const OptimalSelection rule(Epsilon(price.epsilon), Delta(price.delta), price.groups);
    const double tau = selection_threshold_up(Epsilon(price.epsilon), Delta(price.delta), price.groups);
    const double e = price.epsilon / price.groups;
    for (int n = 1; n < 2 * tau; ++n) {
      const double by_threshold = n < tau ? 0.5 * std::exp((n - tau) * e) : 1 - 0.5 * std::exp((tau - n) * e);
      EXPECT_GE(rule.chance(n).showing(), by_threshold * (1 - 1e-8)) << n;
    }
  }
}

TEST(GroupSelection, LargeGroupsAreCertainAndEmptyOnesNeverShown) {
  const OptimalSelection rule(Epsilon(1.0), Delta(1e-9), 1);
  EXPECT_EQ(rule.chance(0).showing(), 0.0);
  EXPECT_EQ(rule.chance(1000).showing(), 1.0);
  EXPECT_EQ(rule.chance(Int128{1} << 100).showing(), 1.0);
  EXPECT_LT(rule.chance(rule.users_for(0.5) - 1).showing(), 0.5);
  EXPECT_GE(rule.chance(rule.users_for(0.5)).showing(), 0.5);
}

TEST(GroupSelection, ChecksItsPreconditions) {
  EXPECT_THROW(OptimalSelection(Epsilon(0.0), Delta(1e-9), 1), InvariantBroken);
  EXPECT_THROW(OptimalSelection(Epsilon(1.0), Delta(0.0), 1), InvariantBroken);
  EXPECT_THROW(OptimalSelection(Epsilon(1.0), Delta(1.0), 1), InvariantBroken);
  EXPECT_THROW(selection_threshold_up(Epsilon(1.0), Delta(1e-9), 0), InvariantBroken);
}

}  // namespace
}  // namespace tacit
