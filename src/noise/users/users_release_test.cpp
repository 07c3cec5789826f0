// False alarms: every comparison runs on seeded entropy, so its verdict is the same on every run.
#include "noise/users/users_release.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "mechanism/users/group_selection.hpp"
#include "noise/sampling/chi_square_testing.hpp"
#include "noise/users/users_release_testing.hpp"

namespace tacit {
namespace {

TEST(UsersRelease, ListedGroupsAreFilledAndOthersDropped) {
  const World world = World(false).add(user_aggregate(total_statistic(), UserBounds{0, 10}), transparent);
  const auto people = crowd(3, "a", {4}) + crowd(2, "a", {99}) + crowd(5, "c", {1});
  const NoisyRows rows = world.release(people, {{text_b}, {text_a}});
  EXPECT_EQ(as_text(rows), (Table{{"b", "0"}, {"a", "32"}}));
  EXPECT_TRUE(rows.notes.empty());
  EXPECT_EQ(rows.columns[1].mechanism, "geometric");
  EXPECT_DOUBLE_EQ(rows.columns[1].scale.value(), 10 / transparent);
}

TEST(UsersRelease, WithoutKeysThereIsOneRow) {
  const World world = World(false, false).add(user_aggregate(total_statistic(), UserBounds{0, 10}), transparent);
  EXPECT_EQ(as_text(world.release(crowd(7, "", {1}), {{}})), (Table{{"7"}}));
  EXPECT_EQ(as_text(world.release({}, {{}})), (Table{{"0"}}));
}

TEST(UsersRelease, EveryStatisticOfStatedBounds) {
  World world = World(false, false);
  const UserBounds bounds{0, 100};
  world.add(user_aggregate(total_statistic(), bounds), transparent)
      .add(user_aggregate(mean_statistic(), bounds), transparent, SqlType::decimal(38, 6))
      .add(user_aggregate(variance_statistic(), bounds), transparent, SqlType::real())
      .add(user_aggregate(deviation_statistic(), bounds), transparent, SqlType::real())
      .add(user_aggregate(quantile_statistic(), bounds), transparent)
      .add(user_aggregate(distinct_statistic(), UserBounds{0, 3}), transparent);
  const auto saying = [](Int128 x) { return Said{x, x, x, x, x, 2}; };
  const auto people = crowd(1, "", saying(10)) + crowd(1, "", saying(20)) + crowd(1, "", saying(60)) +
                      crowd(1, "", Said{std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt, 1});
  const auto row = world.release(people, {{}}).rows.at(0);
  EXPECT_EQ(number(row[0].value), 90);
  EXPECT_EQ(number(row[1].value), 30);
  EXPECT_NEAR(number(row[2].value), 1400.0 / 3.0, 1e-9);
  EXPECT_NEAR(number(row[3].value), std::sqrt(1400.0 / 3.0), 1e-9);
  EXPECT_EQ(number(row[4].value), 20);
  EXPECT_EQ(number(row[5].value), 7);
  EXPECT_EQ(number(row[4].interval95->first), 0);  // too few people for any other end
  EXPECT_GE(number(row[4].interval95->second), 60);
  const auto exact = world.reveal(people, {{}}).rows.at(0);
  for (std::size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(number(row[i].value), number(exact[i].value), 1e-9) << i;
}

TEST(UsersRelease, MinimumMaximumAndQuartilesAreQuantiles) {
  std::vector<Person> people;
  for (int i = 0; i < 1000; ++i) people.push_back({{{"", Said(4, Int128{i})}}});
  World world(false, false);
  for (const double fraction : {0.0, 0.25, 0.5, 1.0}) {
    UserAggregate aggregate = user_aggregate(quantile_statistic(), UserBounds{-500, 5000});
    aggregate.value.fraction = fraction;
    world.add(aggregate, transparent);
  }
  const auto exact = world.reveal(people, {{}}).rows.at(0);
  const std::vector<double> expected{0, 249, 499, 999};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(number(exact[i].value), expected[i], 1.0);
  const auto noisy = world.release(people, {{}}).rows.at(0);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(number(noisy[i].value), expected[i], 1.0);
    EXPECT_LE(number(noisy[i].interval95->first), expected[i]);
    EXPECT_GE(number(noisy[i].interval95->second), expected[i]);
  }
  EXPECT_EQ(number(noisy[0].interval95->first), -500);  // a single value may lie there
  EXPECT_EQ(number(noisy[3].interval95->second), 5000);
}

// Every listed group without people, of every statistic that is no total: shown in one of 20 draws at most.
TEST(UsersRelease, EmptyGroupsHaveNoAnswer) {
  GroupList groups;
  for (int i = 0; i < 2'000; ++i) groups.push_back({Decimal{i, 0}});
  World world(false);
  const UserBounds bounds{0, 540};
  std::size_t aggregates = 0;
  for (const NoiseLaw law : {NoiseLaw::laplace, NoiseLaw::gaussian}) {
    for (const auto statistic : {mean_statistic, variance_statistic, deviation_statistic}) {
      world.add(user_aggregate(statistic(), bounds), 1.0, SqlType::real(), law);
      ++aggregates;
    }
  }
  for (const double fraction : {0.0, 0.25, 0.5, 0.99, 1.0}) {
    UserAggregate aggregate = user_aggregate(quantile_statistic(), bounds);
    aggregate.value.fraction = fraction;
    world.add(aggregate, 1.0, SqlType::real(), NoiseLaw::exponential);
    ++aggregates;
  }
  const NoisyRows answer = world.release({}, groups);
  for (std::size_t i = 1; i <= aggregates; ++i) {
    const auto shown = std::ranges::count_if(
        answer.rows, [i](const auto& row) { return !std::holds_alternative<Null>(row[i].value); });
    EXPECT_LE(shown, 140) << i;  // with a chance of 0.05 each more with a probability below 1e-4
  }
  ASSERT_EQ(answer.notes.size(), aggregates);
  EXPECT_NE(answer.notes[0].find("of 2000 groups may be empty"), std::string::npos) << answer.notes[0];
}

// Dense values: the number of people between the answer and the quantile is exponential with mean
// 2 max(f, 1 - f) / (0.9 epsilon); ties and gaps are no trouble.
TEST(UsersRelease, QuantilesAreChosenByRank) {
  constexpr int trials = 400;
  std::vector<Person> people;
  for (int i = 0; i < 6'000; ++i) people.push_back({{{"", Said(3, Int128{i})}}});
  World world(false, false);
  for (const double fraction : {0.1, 0.5, 0.9}) {
    UserAggregate aggregate = user_aggregate(quantile_statistic(), UserBounds{0, 65'535});
    aggregate.value.fraction = fraction;
    world.add(aggregate, 0.1, SqlType::integer(), NoiseLaw::exponential);
  }
  std::vector<double> far(3, 0.0);
  for (int trial = 0; trial < trials; ++trial) {
    const auto row = world.release(people, {{}}, 1 + static_cast<std::uint64_t>(trial)).rows.at(0);
    const std::vector<double> exact{600, 3'000, 5'400};
    for (std::size_t i = 0; i < 3; ++i) far[i] += std::fabs(number(row[i].value) - exact[i]) / trials;
  }
  EXPECT_NEAR(far[0], 20.0, 5.0);
  EXPECT_NEAR(far[1], 11.1, 3.0);
  EXPECT_NEAR(far[2], 20.0, 5.0);

  World few(false, false);
  few.add(user_aggregate(quantile_statistic(), UserBounds{0, 1'000'000}), 2.0, SqlType::integer(),
          NoiseLaw::exponential);
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const auto row = few.release(crowd(100, "", {40}) + crowd(60, "", {900'000}), {{}}, seed).rows.at(0);
    EXPECT_NEAR(number(row[0].value), 40, 1'000'000.0 / 65'536.0);
  }
  EXPECT_EQ(few.release({}, {{}}).columns.at(0).mechanism, "exponential");
}

TEST(UsersRelease, PrivateKeysAreChosenAndInKeyOrder) {
  World world = World(true).add(user_aggregate(total_statistic(), UserBounds{0, 10}), transparent);
  const auto people = crowd(500, "c", {1}) + crowd(400, "a", {2}) + crowd(2, "b", {3});
  const NoisyRows rows = world.release(people);
  EXPECT_EQ(as_text(rows), (Table{{"a", "800"}, {"c", "500"}}));
  ASSERT_EQ(rows.notes.size(), 1U);
  EXPECT_EQ(as_text(world.reveal(people)), (Table{{"a", "800"}, {"b", "6"}, {"c", "500"}}));
  const NoisyRows none = world.release(crowd(2, "b", {3}));
  EXPECT_TRUE(none.rows.empty());
  EXPECT_NE(none.notes.at(0).find("everything was suppressed"), std::string::npos);
  world.query.order_by.push_back({1, false, false});
  world.query.limit = 1;
  EXPECT_EQ(as_text(world.release(people)), (Table{{"c", "500"}}));
}

// PostgreSQL calls the group of -0 and 0 by the row it reads first: one person's.
TEST(UsersRelease, TheNameOfAGroupIsNobodysOwn) {
  World world = World(true).add(user_aggregate(total_statistic(), UserBounds{0, 10}), transparent);
  ExactRows::Builder builder(4, users_cells(world.users).cells);
  builder.add_key(-0.0);
  for (const int place : {0, 0, 0}) builder.add_key(Decimal{place, 0});
  for (const int cell : {500, 700}) builder.add_cell(cell);
  SeededEntropy entropy(1);
  RandomWords words(entropy);
  EXPECT_EQ(as_text(release_users(builder.finish(), world.mechanism(), {}, words)), (Table{{"0", "700"}}));
}

TEST(UsersRelease, LeftoversAreTheLastRow) {
  World world = World(true)
                    .add(user_aggregate(total_statistic(), UserBounds{0, 10}), transparent)
                    .add(user_aggregate(distinct_statistic(), UserBounds{0, 1}), transparent);
  world.users.leftovers = true;
  world.query.limit = 1;
  const auto people = crowd(500, "c", {1, 0}) + crowd(2, "a", {2, 1}) + crowd(3, "b", {3, 1});
  const NoisyRows rows = world.release(people);
  EXPECT_EQ(as_text(rows), (Table{{"c", "500", "0"}, {"", "13", ""}}));
  EXPECT_TRUE(std::holds_alternative<Null>(rows.rows[1][0].value));
  EXPECT_EQ(rows.notes.size(), 2U);
}

TEST(UsersRelease, BoundsNobodyStatedAreFound) {
  const World world = World(false, false)
                          .add(user_aggregate(total_statistic(), std::nullopt), transparent)
                          .add(user_aggregate(mean_statistic(), std::nullopt), transparent, SqlType::decimal(38, 6))
                          .add(user_aggregate(variance_statistic(), std::nullopt), transparent, SqlType::real());
  const auto people = crowd(10, "", {-5, 40, 7}) + crowd(20, "", {100, 60, 9});
  const NoisyRows rows = world.release(people, {{}});
  EXPECT_EQ(number(rows.rows.at(0)[0].value), 1950);
  EXPECT_NEAR(number(rows.rows.at(0)[1].value), 1600.0 / 30, 1e-5);
  EXPECT_NEAR(number(rows.rows.at(0)[2].value), 8.0 / 9.0, 1e-6);
  ASSERT_EQ(rows.notes.size(), 3U);
  EXPECT_NE(rows.notes[0].find("bounds -5 to 128 "), std::string::npos) << rows.notes[0];
  const auto exact = world.reveal(people, {{}}).rows.at(0);
  EXPECT_EQ(number(exact[0].value), 1950);
  EXPECT_NEAR(number(exact[2].value), 8.0 / 9.0, 1e-12);
}

TEST(UsersRelease, OutliersBelowTheThresholdAreClamped) {
  World world = World(false, false).add(user_aggregate(total_statistic(), std::nullopt), transparent);
  world.plan.aggregates[0].bounds_threshold = 5.0;
  const NoisyRows rows = world.release(crowd(96, "", {16}) + crowd(4, "", {1'000'000}), {{}});
  EXPECT_EQ(number(rows.rows.at(0)[0].value), 1600);
  EXPECT_NE(rows.notes[0].find("about 4%"), std::string::npos) << rows.notes[0];
  const NoisyRows nothing = world.release(crowd(2, "", {16}), {{}});
  EXPECT_EQ(number(nothing.rows.at(0)[0].value), 2);  // clamped to one step
  EXPECT_NE(nothing.notes[0].find("too few"), std::string::npos);
}

// A race misses its interval with probability 0.05 at most: of 400 no more than 38 but for a chance below 1e-4.
TEST(UsersRelease, RacesEndBelowTheTotalAndNearIt) {
  World world(false, false);
  UserAggregate signed_total = user_aggregate(total_statistic(), std::nullopt, {-(Int128{1} << 12), Int128{1} << 12});
  signed_total.inference = BoundsInference::race;
  UserAggregate positive = signed_total;
  positive.value.least = 0;
  world.add(positive, 1.0).add(signed_total, 1.0);
  const auto people = crowd(2'000, "", {40, 40}) + crowd(1'000, "", {3, -60});
  const std::vector<double> truth{83'000, 20'000};
  // Six levels, and 64 is the third: twice its penalty (race.md); two races have half of epsilon each.
  const std::vector<double> far{2 * 6 * std::log(64 / 0.15) * 64, 2 * 6 * std::log(64 / 0.075) * 64 * 2};
  constexpr int trials = 400;
  std::vector<int> covered(2, 0);
  std::vector<int> near(2, 0);
  for (int trial = 0; trial < trials; ++trial) {
    const auto row = world.release(people, {{}}, 1 + static_cast<std::uint64_t>(trial)).rows.at(0);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& [lower, upper] = row[i].interval95.value();
      covered[i] += number(lower) <= truth[i] && truth[i] <= number(upper) ? 1 : 0;
      near[i] += std::fabs(number(row[i].value) - truth[i]) <= far[i] ? 1 : 0;
    }
    EXPECT_EQ(number(row[0].interval95->first), number(row[0].value));
  }
  for (const int count : covered) EXPECT_GE(count, trials - 38);
  for (const int count : near) EXPECT_GE(count, trials - 38);
  EXPECT_EQ(number(world.reveal(people, {{}}).rows.at(0)[1].value), 20'000);
}

// k groups a user: noise of scale k * sensitivity / epsilon, or the planned deviation, on every listed group.
TEST(UsersRelease, TotalsHaveThePlannedNoise) {
  GroupList groups;
  for (int i = 0; i < 40'000; ++i) groups.push_back({Decimal{i, 0}});
  World world(false);
  world.users.groups_per_user = 3;
  world.plan.groups_per_user = 3;
  world.add(user_aggregate(total_statistic(), UserBounds{-7, 5}), 0.5, SqlType::integer(), NoiseLaw::laplace)
      .add(user_aggregate(total_statistic(), UserBounds{0, 5}), 4.0, SqlType::integer(), NoiseLaw::gaussian);
  const NoisyRows rows = world.release({}, groups);
  std::vector<double> laplace;
  std::vector<double> gaussian;
  int covered = 0;
  for (const auto& row : rows.rows) {
    laplace.push_back(number(row[1].value));
    gaussian.push_back(number(row[2].value));
    covered += number(row[2].interval95->first) <= 0 && number(row[2].interval95->second) >= 0 ? 1 : 0;
  }
  const Distribution rounded_laplace = [](double k) {
    const double x = (std::floor(k) + 0.5) / 42.0;
    return x < 0 ? 0.5 * std::exp(x) : 1.0 - 0.5 * std::exp(-x);
  };
  const Distribution rounded_normal = [](double k) {
    return 0.5 * std::erfc(-(std::floor(k) + 0.5) / 20.0 / std::sqrt(2.0));
  };
  EXPECT_GT(chi_square_p_value(laplace, rounded_laplace, edges_for(42)), 1e-4);
  EXPECT_GT(chi_square_p_value(gaussian, rounded_normal, edges_for(20)), 1e-4);
  EXPECT_NEAR(covered / 40'000.0, 0.955, 0.007);
  EXPECT_DOUBLE_EQ(rows.columns[1].scale.value(), 42.0);
  EXPECT_DOUBLE_EQ(rows.columns[2].scale.value(), 20.0);
}

TEST(UsersRelease, IntervalsOfMeansAndVariancesCover) {
  World world(false, false);
  for (const NoiseLaw law : {NoiseLaw::laplace, NoiseLaw::gaussian}) {
    world.add(user_aggregate(mean_statistic(), UserBounds{0, 100}), 1.0, SqlType::real(), law)
        .add(user_aggregate(variance_statistic(), UserBounds{0, 100}), 1.0, SqlType::real(), law);
  }
  std::vector<Person> people;
  for (int i = 0; i < 150; ++i) people.push_back({{{"", Said(4, Int128{i % 80})}}});
  const auto exact = world.reveal(people, {{}}).rows.at(0);
  std::vector<int> covered(4, 0);
  constexpr int trials = 1000;
  for (int trial = 0; trial < trials; ++trial) {
    const auto row = world.release(people, {{}}, 100 + static_cast<std::uint64_t>(trial)).rows.at(0);
    for (std::size_t i = 0; i < covered.size(); ++i) {
      const auto& [lower, upper] = row[i].interval95.value();
      EXPECT_LE(number(lower), number(row[i].value));
      EXPECT_GE(number(upper), number(row[i].value));
      covered[i] += number(lower) <= number(exact[i].value) && number(exact[i].value) <= number(upper) ? 1 : 0;
    }
  }
  for (const int count : covered) EXPECT_GE(count, trials * 0.94);
}

TEST(UsersRelease, BrokenInvariantsAreCaught) {
  World world = World(false).add(user_aggregate(total_statistic(), UserBounds{0, 10}), 1.0);
  EXPECT_THROW(world.release({}, {{text_a}, {text_a}}), InvariantBroken);
  EXPECT_THROW(world.release({}, {{text_a, text_c}}), InvariantBroken);
  world.users.leftovers = true;
  world.plan.aggregates[0].noise.law = NoiseLaw::gaussian;
  EXPECT_THROW(world.release({}, {{text_a}}), InvariantBroken);
  world.plan.aggregates.clear();
  EXPECT_THROW(world.release({}, {{text_a}}), InvariantBroken);
}

}  // namespace
}  // namespace tacit
