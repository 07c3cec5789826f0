// False alarms: every comparison runs on seeded entropy, so its verdict is the same on every run.
#include "noise/users/select_groups.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/users/group_selection.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/users/dyadic_bernoulli.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {
namespace {

// How many deviations the number of successes is off.
double deviations_off(double p, int trials, int successes) {
  return std::fabs(successes - trials * p) / std::sqrt(trials * p * (1 - p));
}

TEST(DyadicBernoulli, HasItsProbability) {
  SeededEntropy entropy(3);
  RandomWords words(entropy);
  constexpr int trials = 200'000;
  for (const double p : {0.5, 0.25, 0.75, 1.0 / 3.0, 0.001, 0.999, 0x1.fffffffffffffp-1}) {
    int successes = 0;
    for (int i = 0; i < trials; ++i) successes += dyadic_bernoulli(p, words) ? 1 : 0;
    if (p > 0.9999) {
      EXPECT_EQ(successes, trials);
    } else {
      EXPECT_LT(deviations_off(p, trials, successes), 4.5) << p;
    }
  }
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(dyadic_bernoulli(0.0, words));
    EXPECT_TRUE(dyadic_bernoulli(1.0, words));
    EXPECT_FALSE(dyadic_bernoulli(1e-300, words));
  }
}

// p = 3/8: the 53 bits of the mantissa follow one zero bit.
TEST(DyadicBernoulli, ComparesEveryBit) {
  const auto outcome = [](std::uint64_t word) {
    ScriptedEntropy entropy({word, 0});
    RandomWords words(entropy);
    return dyadic_bernoulli(0.375, words);
  };
  const std::uint64_t mantissa = std::uint64_t{3} << 51;
  EXPECT_TRUE(outcome((mantissa - 1) << 1));
  EXPECT_FALSE(outcome(mantissa << 1));
  EXPECT_FALSE(outcome(1));
}

UsersPlan plan_of(GroupSelection selection, double epsilon, double delta, int groups) {
  UsersPlan plan;
  plan.groups_per_user = groups;
  plan.selection = selection;
  plan.selection_epsilon = Epsilon(epsilon);
  plan.selection_delta = Delta(delta);
  plan.tau = selection_threshold_up(Epsilon(epsilon), Delta(delta), groups);
  return plan;
}

int shown_of(const UsersPlan& plan, Int128 users, int trials) {
  SeededEntropy entropy(17);
  RandomWords words(entropy);
  UserGroup group;
  group.cells = {users};
  const std::vector<UserGroup> groups(static_cast<std::size_t>(trials), group);
  const auto shown = select_groups(groups, plan, words).shown;
  return static_cast<int>(std::count(shown.begin(), shown.end(), true));
}

TEST(SelectGroups, TheOptimalRuleShowsGroupsWithItsChance) {
  constexpr int trials = 100'000;
  const UsersPlan plan = plan_of(GroupSelection::optimal, 1.0, 1e-3, 2);
  const OptimalSelection rule(Epsilon(1.0), Delta(1e-3), 2);
  EXPECT_EQ(shown_of(plan, 0, trials), 0);
  EXPECT_EQ(shown_of(plan, 200, trials), trials);
  for (const int users : {1, 5, 10, 12, 15, 20}) {
    EXPECT_LT(deviations_off(rule.chance(users).showing(), trials, shown_of(plan, users, trials)), 4.5) << users;
  }
}

TEST(SelectGroups, TheThresholdComparesTheRoundedNoisyCount) {
  constexpr int trials = 100'000;
  const UsersPlan plan = plan_of(GroupSelection::threshold, 1.0, 1e-2, 2);
  EXPECT_EQ(shown_of(plan, 0, trials), 0);
  for (const int users : {1, 5, 10, 12, 20}) {
    const double distance = (rounded_threshold(plan.tau) - 0.5 - users) / 2.0;
    const double p = distance > 0 ? 0.5 * std::exp(-distance) : 1 - 0.5 * std::exp(distance);
    EXPECT_LT(deviations_off(p, trials, shown_of(plan, users, trials)), 4.5) << users;
  }
  const double d = -std::expm1(std::log1p(-1e-2) / 2);
  EXPECT_LT(shown_of(plan, 1, trials), trials * d + 4.5 * std::sqrt(trials * d));
}

// Among the answers that are shown the interval holds the number of users, whatever that number is. 20,000 trials of a
// coverage of 95% fall below 94.3% with a probability below 1e-5.
TEST(SelectGroups, TheIntervalOfAShownCountHoldsForGroupsOfEverySize) {
  const UsersPlan plan = plan_of(GroupSelection::threshold, 1.0, 1e-2, 2);
  SeededEntropy entropy(5);
  RandomWords words(entropy);
  for (const int users : {1, 4, 7, 9, 10, 12, 14, 16, 20, 40, 300}) {
    UserGroup group;
    group.cells = {users};
    int shown = 0;
    int held = 0;
    for (int round = 0; round < 400 && shown < 20'000; ++round) {
      const ShownGroups result = select_groups(std::vector<UserGroup>(20'000, group), plan, words);
      for (std::size_t i = 0; i < result.shown.size(); ++i) {
        if (!result.shown[i]) continue;
        const NoisyCell cell = shown_count(result.counts[i], plan, SqlType::integer());
        const auto lo = std::get<Decimal>(cell.interval95->first).units;
        const auto hi = std::get<Decimal>(cell.interval95->second).units;
        ++shown;
        held += lo <= users && users <= hi ? 1 : 0;
      }
    }
    EXPECT_GT(shown, 5'000) << users;
    EXPECT_GT(held, 0.943 * shown) << users;
  }
}

TEST(SelectGroups, SaysHowGroupsWereChosen) {
  const UsersPlan plan = plan_of(GroupSelection::optimal, 1.0, 1e-5, 1);
  EXPECT_NE(describe_selection(plan, {}, 3).find("a group of 12 users"), std::string::npos);
  EXPECT_NE(describe_selection(plan, {}, 0).find("everything was suppressed"), std::string::npos);
  const UsersPlan threshold = plan_of(GroupSelection::threshold, 1.0, 1e-5, 1);
  EXPECT_NE(describe_selection(threshold, {}, 3).find("13 users"), std::string::npos);
  const UsersPlan never = plan_of(GroupSelection::optimal, 1e-7, 1e-5, 1);
  for (const std::size_t shown : {0U, 1U}) {
    EXPECT_NE(describe_selection(never, {}, shown).find("too small to show a group of any size with"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace tacit
