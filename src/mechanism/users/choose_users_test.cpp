#include "mechanism/users/choose_users.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/users/gaussian.hpp"
#include "mechanism/users/group_selection.hpp"
#include "mechanism/users/magnitude_histogram.hpp"
#include "mechanism/users/race.hpp"
#include "mechanism/users/users_plan.hpp"
#include "sensitivity/users/users_cells.hpp"
#include "support/required.hpp"

namespace tacit {
namespace {

UserAggregate stated(const UserStatistic& statistic, Int128 lo, Int128 hi) {
  UserAggregate aggregate;
  aggregate.statistic = &statistic;
  aggregate.value.kind = UserValue::Kind::total;
  aggregate.value.least = -(Int128{1} << 29);
  aggregate.value.most = Int128{1} << 29;
  aggregate.bounds = UserBounds{lo, hi};
  return aggregate;
}

UserAggregate inferred(const UserStatistic& statistic, BoundsInference inference = BoundsInference::histogram) {
  UserAggregate aggregate = stated(statistic, 0, 1);
  aggregate.bounds.reset();
  aggregate.inference = inference;
  return aggregate;
}

AnalyzedQuery query_of(std::vector<UserAggregate> aggregates, int groups, bool private_keys, bool leftovers = false) {
  UsersAnalysis users;
  users.groups_per_user = groups;
  users.keeps_all_rows = true;
  users.private_keys = private_keys;
  users.leftovers = leftovers;
  users.aggregates = std::move(aggregates);
  AnalyzedQuery query;
  query.model = std::move(users);
  return query;
}

MechanismPlan choose(AnalyzedQuery query, double epsilon, double delta) {
  return testing::required(choose_users_mechanism(std::move(query), Epsilon(epsilon), Delta(delta)));
}

// What every part costs: never more than was asked for.
void expect_within_price(const MechanismPlan& plan) {
  const auto& users = analysis_of<UsersAnalysis>(plan.analyzed);
  // The count that is released is the choice of groups.
  long double epsilon =
      plan_of<UsersPlan>(plan).released_count ? 0.0L : plan_of<UsersPlan>(plan).selection_epsilon.value();
  long double delta = plan_of<UsersPlan>(plan).selection_delta.value();
  long double moved = 0.0L;  // squared, of the Gaussian vector in units of its noise
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    const UserAggregatePlan& own = plan_of<UsersPlan>(plan).aggregates[i];
    epsilon += own.bounds_epsilon.value();
    epsilon += own.beyond_epsilon.value();
    delta += own.euclidean_delta.value();
    if (own.euclidean_deviation > 0.0) {
      EXPECT_GE(own.euclidean_deviation, gaussian_deviation_up(own.noise.epsilon, own.euclidean_delta));
    }
    if (own.noise.law == NoiseLaw::gaussian) {
      moved += static_cast<long double>(users.groups_per_user) / own.noise.deviation / own.noise.deviation;
    } else {
      epsilon += own.noise.epsilon.value();
    }
  }
  if (moved > 0.0L) {
    const long double left = plan.epsilon.value() - epsilon;
    const long double rest = plan.delta.value() - delta;
    ASSERT_GT(left, 0.0L);
    const double s = 1.0 / std::sqrt(static_cast<double>(moved));
    const double first = std::erfc((static_cast<double>(left) * s - 0.5 / s) / std::sqrt(2.0)) / 2;
    const double second =
        std::exp(static_cast<double>(left)) * std::erfc((static_cast<double>(left) * s + 0.5 / s) / std::sqrt(2.0)) / 2;
    EXPECT_LE(first - second, static_cast<double>(rest) * (1 + 1e-9));
    EXPECT_GE(first - second, static_cast<double>(rest) * 0.99);  // and hardly less
  } else {
    EXPECT_LE(epsilon, static_cast<long double>(plan.epsilon.value()));
    EXPECT_GT(epsilon, 0.999999L * static_cast<long double>(plan.epsilon.value()));
    EXPECT_LE(delta, static_cast<long double>(plan.delta.value()));
  }
}

AnalyzedQuery by_threshold(AnalyzedQuery query) {
  auto users = analysis_of<UsersAnalysis>(query);
  users.selection = GroupSelection::threshold;
  query.model = std::move(users);
  return query;
}

TEST(ChooseUsers, SharesAreEqualAndTheThresholdHasOne) {
  const auto plan = choose(
      by_threshold(query_of({stated(total_statistic(), 0, 1), stated(mean_statistic(), -5, 5)}, 1, true)), 1.0, 1e-9);
  EXPECT_NEAR(plan_of<UsersPlan>(plan).selection_epsilon.value(), 1.0 / 3.0, 1e-15);
  EXPECT_EQ(plan_of<UsersPlan>(plan).selection_delta.value(), 1e-9);
  for (const auto& aggregate : plan_of<UsersPlan>(plan).aggregates) {
    EXPECT_NEAR(aggregate.noise.epsilon.value(), 1.0 / 3.0, 1e-15);
    EXPECT_NE(aggregate.noise.law, NoiseLaw::gaussian);
  }
  EXPECT_EQ(plan.delta.value(), 1e-9);
  EXPECT_DOUBLE_EQ(plan_of<UsersPlan>(plan).aggregates[0].sensitivity.value(), 1.0);
  EXPECT_DOUBLE_EQ(plan_of<UsersPlan>(plan).aggregates[1].sensitivity.value(), 10.0);
  expect_within_price(plan);
}

TEST(ChooseUsers, TheOptimalRuleShowsMoreGroupsWithLessNoiseThanTheThreshold) {
  for (const double epsilon : {0.01, 0.1, 1.0, 3.0}) {
    for (const double delta : {1e-12, 1e-6, 2e-4}) {
      for (const int k : {1, 5, 40}) {
        for (const std::size_t count : {1U, 2U, 7U}) {
          const std::vector<UserAggregate> aggregates(count, stated(quantile_statistic(), 0, 9));
          const auto optimal = choose(query_of(aggregates, k, true), epsilon, delta);
          const auto threshold = choose(by_threshold(query_of(aggregates, k, true)), epsilon, delta);
          expect_within_price(optimal);
          expect_within_price(threshold);
          const OptimalSelection rule(plan_of<UsersPlan>(optimal).selection_epsilon,
                                      plan_of<UsersPlan>(optimal).selection_delta, k);
          EXPECT_LE(static_cast<double>(rule.users_for(0.5)), std::ceil(plan_of<UsersPlan>(threshold).tau));
          EXPECT_GE(plan_of<UsersPlan>(optimal).aggregates[0].noise.epsilon.value(),
                    plan_of<UsersPlan>(threshold).aggregates[0].noise.epsilon.value());
        }
      }
    }
  }
  // Q21 of Wilson et al. 2020, Table 4: a tenth less noise at least.
  const auto q21 = choose(query_of({stated(quantile_statistic(), 0, 9)}, 1, true), 0.1, 2.07e-4);
  EXPECT_GT(plan_of<UsersPlan>(q21).aggregates[0].noise.epsilon.value(), 0.055);
}

TEST(ChooseUsers, ListedGroupsNeedNoDelta) {
  const auto plan = choose(query_of({stated(total_statistic(), 0, 100)}, 2, false), 0.5, 0.0);
  EXPECT_EQ(plan.delta.value(), 0.0);
  EXPECT_EQ(plan_of<UsersPlan>(plan).selection_epsilon.value(), 0.0);
  EXPECT_EQ(plan_of<UsersPlan>(plan).aggregates[0].noise.epsilon.value(), 0.5);
  // One aggregate, few groups: Laplace is better, and the delta that was offered is not used.
  const auto offered = choose(query_of({stated(total_statistic(), 0, 100)}, 2, false), 0.5, 1e-9);
  EXPECT_EQ(offered.delta.value(), 0.0);
  ASSERT_EQ(offered.alternatives.size(), 1U);
  EXPECT_EQ(offered.alternatives[0].name, "gaussian");
  EXPECT_GT(offered.alternatives[0].expected_error, plan_of<UsersPlan>(offered).aggregates[0].error_p95.value());
}

TEST(ChooseUsers, PrivateKeysWithoutDeltaAreRefused) {
  const auto plan =
      choose_users_mechanism(query_of({stated(total_statistic(), 0, 1)}, 1, true), Epsilon(1.0), Delta(0.0));
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().code, FailureCode::refused);
  EXPECT_NE(plan.error().hint.find("--delta"), std::string::npos);
}

TEST(ChooseUsers, ManyGroupsOrAggregatesAreGaussian) {
  const auto groups = choose(query_of({stated(total_statistic(), 0, 1)}, 200, true), 1.0, 1e-6);
  EXPECT_EQ(plan_of<UsersPlan>(groups).aggregates[0].noise.law, NoiseLaw::gaussian);
  EXPECT_EQ(plan_of<UsersPlan>(groups).selection_delta.value(), 5e-7);
  EXPECT_EQ(groups.delta.value(), 1e-6);
  EXPECT_NE(groups.why.find("zCDP"), std::string::npos);
  expect_within_price(groups);

  std::vector<UserAggregate> many(60, stated(mean_statistic(), 0, 100));
  many.push_back(stated(quantile_statistic(), 0, 100));
  many.push_back(stated(variance_statistic(), 0, 100));
  const auto aggregates = choose(query_of(many, 3, false), 1.0, 1e-6);
  EXPECT_EQ(plan_of<UsersPlan>(aggregates).aggregates.front().noise.law, NoiseLaw::gaussian);
  EXPECT_EQ(plan_of<UsersPlan>(aggregates).aggregates[61].noise.law, NoiseLaw::gaussian);
  EXPECT_NE(plan_of<UsersPlan>(aggregates).aggregates[60].noise.law, NoiseLaw::gaussian);
  EXPECT_FALSE(aggregates.alternatives.empty());
  expect_within_price(aggregates);
}

TEST(ChooseUsers, LeftoversAreNeverGaussian) {
  const auto plan = choose(query_of({stated(total_statistic(), 0, 1)}, 200, true, true), 1.0, 1e-6);
  EXPECT_NE(plan_of<UsersPlan>(plan).aggregates[0].noise.law, NoiseLaw::gaussian);
  expect_within_price(plan);
}

TEST(ChooseUsers, InferredBoundsTakeAQuarterAndRacesNone) {
  const auto plan = choose(
      query_of({inferred(total_statistic()), inferred(total_statistic(), BoundsInference::race)}, 2, false), 1.0, 0.0);
  const auto& histogram = plan_of<UsersPlan>(plan).aggregates[0];
  EXPECT_DOUBLE_EQ(histogram.bounds_epsilon.value(), 0.125);
  EXPECT_DOUBLE_EQ(histogram.noise.epsilon.value(), 0.375);
  EXPECT_FALSE(histogram.sensitivity.has_value());
  const int bins = magnitude_bins(analysis_of<UsersAnalysis>(plan.analyzed).aggregates[0].value).count();
  EXPECT_EQ(bins, 2 * magnitude_bin(Int128{1} << 29) + 1);
  EXPECT_DOUBLE_EQ(histogram.bounds_threshold, bounds_threshold(Epsilon(0.125), bins, 2, bounds_confidence));
  EXPECT_EQ(plan_of<UsersPlan>(plan).aggregates[1].bounds_epsilon.value(), 0.0);
  EXPECT_EQ(plan_of<UsersPlan>(plan).aggregates[1].noise.epsilon.value(), 0.5);
  expect_within_price(plan);
  for (const double epsilon : {0.1, 1.0 / 3.0, 0.7, 1.1, 4.0}) {
    expect_within_price(
        choose(query_of({inferred(mean_statistic()), inferred(variance_statistic()), stated(total_statistic(), 0, 3)},
                        5, true),
               epsilon, 1e-8));
    expect_within_price(
        choose(query_of(std::vector<UserAggregate>(9, inferred(mean_statistic())), 50, true), epsilon, 1e-8));
  }
}

TEST(ChooseUsers, TheThresholdUsesTheShareOfTheChoice) {
  const auto plan = choose(by_threshold(query_of({stated(total_statistic(), 0, 1)}, 1, true)), 1.0, 1e-5);
  EXPECT_NEAR(plan_of<UsersPlan>(plan).tau, 22.639557, 1e-6);
}

UserAggregate people() {
  UserAggregate aggregate = stated(total_statistic(), 0, 1);
  aggregate.value.kind = UserValue::Kind::presence;
  return aggregate;
}

TEST(ChooseUsers, TheNumberOfPeopleThatIsShownChoosesTheGroups) {
  const auto one = choose(query_of({people()}, 1, true), 1.0, 1e-5);
  ASSERT_EQ(plan_of<UsersPlan>(one).released_count, 0U);
  EXPECT_EQ(plan_of<UsersPlan>(one).aggregates[0].noise.epsilon.value(), 1.0);
  EXPECT_EQ(plan_of<UsersPlan>(one).aggregates[0].noise.law, NoiseLaw::laplace);
  EXPECT_NEAR(plan_of<UsersPlan>(one).tau, 11.819778, 1e-6);
  expect_within_price(one);
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    const auto two = choose(query_of({stated(mean_statistic(), 0, 9), people()}, 2, true), epsilon, 1e-6);
    EXPECT_EQ(plan_of<UsersPlan>(two).released_count, 1U);
    expect_within_price(two);
  }
  // In many groups one Gaussian vector is better, and the groups are chosen apart.
  const auto many = choose(query_of({people()}, 200, true), 1.0, 1e-6);
  EXPECT_FALSE(plan_of<UsersPlan>(many).released_count);
  EXPECT_EQ(plan_of<UsersPlan>(many).aggregates[0].noise.law, NoiseLaw::gaussian);
  expect_within_price(many);
  // What was stated, leftovers and listed keys.
  AnalyzedQuery optimal = query_of({people()}, 1, true);
  auto users = analysis_of<UsersAnalysis>(optimal);
  users.selection = GroupSelection::optimal;
  optimal.model = users;
  EXPECT_FALSE(plan_of<UsersPlan>(choose(std::move(optimal), 1.0, 1e-5)).released_count);
  EXPECT_FALSE(plan_of<UsersPlan>(choose(query_of({people()}, 1, true, true), 1.0, 1e-5)).released_count);
  EXPECT_FALSE(plan_of<UsersPlan>(choose(query_of({people()}, 1, false), 1.0, 1e-5)).released_count);
}

TEST(ChooseUsers, TotalsOverAllGroupsPayForTheirBound) {
  UserAggregate total = inferred(total_statistic());
  total.over_all = true;
  for (const bool facts : {false, true}) {
    if (facts) total.facts = UserBounds{0, 1};
    for (const double epsilon : {0.1, 1.0 / 3.0, 1.0, 4.0}) {
      const auto plan = choose(query_of({total, stated(mean_statistic(), 0, 5)}, 3, true), epsilon, 1e-8);
      const UserAggregatePlan& own = plan_of<UsersPlan>(plan).aggregates[0];
      EXPECT_GT(own.bounds_epsilon.value(), 0.0);
      EXPECT_EQ(own.beyond_epsilon.value() > 0.0, facts);
      EXPECT_EQ(own.noise.law, NoiseLaw::laplace);
      expect_within_price(plan);
    }
  }
}

TEST(ChooseUsers, LengthsAreTriedOverManyListedGroupsForAPartOfDelta) {
  UserAggregate total = inferred(total_statistic());
  total.over_all = true;
  const auto plan_for = [&](std::vector<UserAggregate> aggregates, std::size_t groups, double delta,
                            bool private_keys = false) {
    AnalyzedQuery query = query_of(std::move(aggregates), 1, private_keys);
    auto users = analysis_of<UsersAnalysis>(query);
    users.several_groups = true;
    users.listed_groups = users.reachable_groups = groups;
    query.model = users;
    return choose(std::move(query), 1.0, delta);
  };
  const auto tried = [](const MechanismPlan& plan) { return tries_euclidean(plan_of<UsersPlan>(plan), 0); };
  EXPECT_TRUE(tried(plan_for({total}, 200, 1e-6)));
  EXPECT_FALSE(tried(plan_for({total}, 5, 1e-6)));
  EXPECT_FALSE(tried(plan_for({total}, 200, 0.0)));
  EXPECT_FALSE(tried(plan_for({total}, 200, 1e-6, true)));
  EXPECT_EQ(plan_for({total}, 5, 1e-6).delta.value(), 0.0);
  EXPECT_EQ(plan_for({total}, 200, 1e-6).delta.value(), 1e-6);
  for (const auto& aggregates :
       {std::vector{total}, std::vector{total, total, total}, std::vector{total, stated(mean_statistic(), 0, 5)}}) {
    const auto plan = plan_for(aggregates, 500, 1e-6);
    EXPECT_TRUE(tried(plan));
    expect_within_price(plan);
    double delta = 0.0;
    for (const auto& own : plan_of<UsersPlan>(plan).aggregates) delta += own.euclidean_delta.value();
    EXPECT_LE(delta, plan.delta.value());
  }
}

TEST(ChooseUsers, EveryNumberOfGroupsThatMayBeFoundHasItsPlan) {
  AnalyzedQuery query = query_of({stated(mean_statistic(), 0, 5), people()}, 100, true);
  auto users = analysis_of<UsersAnalysis>(query);
  users.infers_groups = true;
  query.model = users;
  const auto plan = choose(std::move(query), 1.0, 1e-6);
  const auto levels = group_levels(100);
  ASSERT_EQ(plan_of<UsersPlan>(plan).by_level.size(), levels.size());
  EXPECT_EQ(plan_of<UsersPlan>(plan).groups_epsilon.value(), 0.05);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_EQ(plan_of<UsersPlan>(plan).by_level[i].groups_per_user, levels[i]);
    MechanismPlan one;
    one.delta = plan.delta;
    one.model = plan_of<UsersPlan>(plan).by_level[i];
    one.epsilon = Epsilon(0.95);
    UsersAnalysis at_level = users;
    at_level.groups_per_user = levels[i];
    one.analyzed.model = at_level;
    expect_within_price(one);
  }
}

TEST(MagnitudeHistogram, ThresholdsAsCorrected) {
  const auto t = [](double epsilon, int bins, double p) { return bounds_threshold(Epsilon(epsilon), bins, 1, p); };
  EXPECT_NEAR(t(1, 64, 1 - 1e-9), 24.173253, 1e-5);
  EXPECT_NEAR(t(0.5, 64, 1 - 1e-9), 48.346507, 1e-5);
  EXPECT_NEAR(t(1, 128, 1 - 1e-6), 17.966550, 1e-6);
  EXPECT_NEAR(t(0.1, 64, 1 - 1e-9), 241.732534, 1e-4);
  EXPECT_DOUBLE_EQ(bounds_threshold(Epsilon(1), 64, 3, 0.95), 3 * bounds_threshold(Epsilon(1), 64, 1, 0.95));
}

TEST(Race, LevelsAndPenalties) {
  EXPECT_EQ(race_levels(0), 1);
  EXPECT_EQ(race_levels(4), 1);
  EXPECT_EQ(race_levels(5), 2);
  EXPECT_EQ(race_levels(Int128{1} << 40), 20);
  EXPECT_EQ(race_levels((Int128{1} << 40) + 1), 21);
  EXPECT_EQ(race_truncation(1), 4);
  EXPECT_EQ(race_truncation(5), 1024);
  // 5 levels, 3 groups: 5 * 3 * 1024 / 0.5 ln(4^5 / 0.15)
  EXPECT_EQ(race_penalty(Epsilon(0.5), 3, 5, 5, 0.05),
            static_cast<Int128>(std::ceil(5 * std::log(1024 / 0.15) * 6 * 1024)));
  EXPECT_EQ(race_width(Epsilon(0.5), 3, 1024, 0.05), 2 * race_penalty(Epsilon(0.5), 3, 5, 5, 0.05) + 4);
}

TEST(UserParts, OneUserMovesThemByNoMore) {
  for (const UserBounds bounds : {UserBounds{0, 1}, {-3, 7}, {-9, -2}, {5, 5}, {0, 0}}) {
    const Int128 w = bounds.hi - bounds.lo;
    const auto total = total_statistic().part_sensitivities(bounds);
    const auto mean = mean_statistic().part_sensitivities(bounds);
    const auto variance = variance_statistic().part_sensitivities(bounds);
    for (Int128 x = bounds.lo; x <= bounds.hi; ++x) {
      EXPECT_LE(x < 0 ? -x : x, total[0]);
      EXPECT_LE((x - bounds.lo) + (bounds.hi - x), mean[0]);
      const Int128 y = 2 * x - bounds.lo - bounds.hi;
      EXPECT_LE(y < 0 ? -y : y, variance[1]);
      const Int128 square = 2 * y * y - w * w;
      EXPECT_LE(square < 0 ? -square : square, variance[2]);
    }
    for (const Int128 sensitivity : total) EXPECT_GE(sensitivity, 1);
  }
}

}  // namespace
}  // namespace tacit
