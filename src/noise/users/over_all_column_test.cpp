// False alarms: every comparison runs on seeded entropy, so its verdict is the same on every run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "noise/users/find_over_all.hpp"
#include "noise/users/user_column.hpp"
#include "noise/users/users_release_testing.hpp"

namespace tacit {
namespace {

UserAggregate over_all(std::optional<Int128> most = std::nullopt) {
  UserAggregate aggregate = user_aggregate(total_statistic(), std::nullopt, {0, Int128{1} << 40});
  aggregate.over_all = true;
  aggregate.most_over_all = most;
  return aggregate;
}

// Somebody with more than the bound is cut in the same proportion everywhere.
TEST(OverAllColumn, TotalsOverAllGroupsScaleDownWhoHasMore) {
  World world = World(false).add(over_all(12), transparent);
  world.users.several_groups = true;
  const std::vector<Person> people{Person{{{"a", {6}}, {"b", {6}}}}, Person{{{"a", {12}}, {"b", {12}}}},
                                   Person{{{"a", {9}}, {"b", {27}}}}};
  EXPECT_EQ(as_text(world.release(people, {{text_a}, {text_b}, {text_c}})),
            (Table{{"a", "15"}, {"b", "21"}, {"c", "0"}}));
}

TEST(OverAllColumn, TheBoundOverAllGroupsIsFoundWithNoise) {
  World world = World(false).add(over_all(), 1.0, SqlType::integer(), NoiseLaw::laplace);
  world.users.several_groups = true;
  world.plan.aggregates[0].bounds_epsilon = Epsilon(3.0 / 16.0);
  // 2,000 people with 4 to 23 rows in two groups, and one with a million.
  std::vector<Person> people;
  double total = 0.0;
  for (int i = 0; i < 2'000; ++i) {
    people.push_back(Person{{{"a", {2 + i % 10}}, {"b", {2 + i % 11}}}});
    total += 2 + i % 10;
  }
  people.push_back(Person{{{"a", {1'000'000}}, {"b", {0}}}});
  int good = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const NoisyRows rows = world.release(people, {{text_a}, {text_b}}, seed);
    good += std::fabs(number(rows.rows[0][1].value) - total) < 400.0 ? 1 : 0;
    EXPECT_NE(rows.notes.at(0).find("in all groups together"), std::string::npos);
  }
  EXPECT_GT(good, 185);
}

// Five listed groups, people with 1 to 36 rows of whom few have many: the noise is within half of that of the best
// bound.
TEST(OverAllColumn, TheSearchCostsLittleWithSeveralListedGroups) {
  World world = World(false).add(over_all(), 1.0 - search_share(5), SqlType::integer(), NoiseLaw::laplace);
  world.users.several_groups = true;
  world.plan.aggregates[0].bounds_epsilon = Epsilon(search_share(5));
  std::vector<Person> people;
  GroupList groups;
  for (const char* group : {"a", "b", "c", "d", "e"}) groups.push_back({std::string(group)});
  for (int i = 0; i < 4'000; ++i) {
    const int rows = 10 + i % 11 + (i % 40 == 0 ? 8 : 0) + (i % 400 == 0 ? 8 : 0);  // 20; 28 has 1%, 36 a quarter of it
    Person person;
    for (int group = 0; group < 5; ++group) person.groups[std::string(1, static_cast<char>('a' + group))] = {rows / 5};
    people.push_back(person);
  }
  double scale = 0.0;
  constexpr int trials = 400;
  for (std::uint64_t seed = 1; seed <= trials; ++seed) {
    scale += *world.release(people, groups, seed).columns[1].scale / trials;
  }
  // Without a search the best bound is between 20 and 28.
  EXPECT_LT(scale, 38.0);
  EXPECT_GT(scale, 20.0);
}

// The promise of the search itself: one person moves the chance of no bound by more than e^epsilon.
TEST(FindOverAll, OnePersonMovesTheChanceOfEveryBoundByNoMore) {
  constexpr double epsilon = 0.7;
  constexpr int trials = 40'000;
  World world = World(false).add(over_all(), 1.0, SqlType::integer(), NoiseLaw::laplace);
  world.users.several_groups = true;
  world.plan.aggregates[0].bounds_epsilon = Epsilon(epsilon);
  std::vector<Person> people;
  for (int i = 0; i < 12; ++i) people.push_back(Person{{{"a", {1 + i % 3}}, {"b", {1}}}});
  const auto chosen = [&](const std::vector<Person>& of, std::uint64_t seed) {
    SeededEntropy entropy(seed);
    RandomWords words(entropy);
    const GroupList listed{{text_a}, {text_b}};
    const auto groups = user_groups(rows_of_people(of, world.users, true), world.users, &listed);
    std::map<int, double> times;
    for (int i = 0; i < trials; ++i) {
      times[find_over_all(world.users, 0, world.plan.aggregates[0], groups, words).bin] += 1.0;
    }
    return times;
  };
  auto without = chosen(people, 1);
  people.push_back(Person{{{"a", {500}}, {"b", {500}}}});
  auto with = chosen(people, 2);
  double seen = 0.0;
  for (const auto& [bin, times] : with) {
    const double other = without[bin];
    if (times + other < 400.0) continue;
    // Five deviations of the logarithm of a ratio of two counts.
    const double sure = 5.0 * std::sqrt(1.0 / std::max(times, 1.0) + 1.0 / std::max(other, 1.0));
    const double loss = std::fabs(std::log(std::max(times, 1.0) / std::max(other, 1.0)));
    EXPECT_LE(loss - sure, epsilon) << bin;
    seen = std::max(seen, loss);
  }
  EXPECT_GT(seen, 0.7 * epsilon);
}

// What one person adds, cut or not, is no longer than the bound (over_all.md), in units of the noise.
TEST(OverAllColumn, NobodyAddsMoreThanALength) {
  SeededEntropy entropy(7);
  RandomWords words(entropy);
  for (int trial = 0; trial < 3'000; ++trial) {
    UserAggregate aggregate = over_all();
    const auto bin = static_cast<int>(1 + words.below(std::uint64_t{300}));
    const auto largest = std::uint64_t{1} << (1 + words.below(std::uint64_t{38}));
    Person person;
    const auto groups = 1 + words.below(std::uint64_t{40});
    for (std::uint64_t group = 0; group < groups; ++group) {
      person.groups[fmt::format("{}", group)] = {static_cast<Int128>(words.below(largest))};
    }
    UserColumnPlan plan;
    plan.aggregate = aggregate;
    plan.noise = {NoiseLaw::gaussian, Epsilon(1.0), 1e-9};
    plan.over_all = euclidean_bound(bin);
    plan.type = SqlType::integer();
    UsersAnalysis users;
    users.several_groups = true;
    users.aggregates = {aggregate};
    double squares = 0.0;
    for (const UserGroup& group : user_groups(rows_of_people({person}, users, true, true), users, nullptr)) {
      const Int128 per_share = plan.over_all.most / spread_shares;
      for (const BinCells& cells : group.lengths[0]) {
        const Int128 units =
            cells.bin <= plan.over_all.bin ? cells.sum * plan.over_all.per_step : cells.squares * per_share;
        squares += static_cast<double>(units) * static_cast<double>(units);
      }
    }
    EXPECT_LE(std::sqrt(squares), static_cast<double>(plan.over_all.most) * (1.0 + 0x1p-40)) << bin;
    const double length = length_in_all(person, 0, aggregate);
    const double most = static_cast<double>(plan.over_all.most) / static_cast<double>(plan.over_all.per_step);
    if (length > 1.2 * most && most > 1.0) {
      EXPECT_GT(std::sqrt(squares), 0.99 * static_cast<double>(plan.over_all.most));
    }
  }
}

// 60 groups. Where people are in all of them a length is a fraction of the sum; where each is in one it is the sum.
TEST(OverAllColumn, TheSearchDecidesBetweenSumsAndLengths) {
  GroupList groups;
  const auto name = [](int group) { return fmt::format("{:02}", group); };
  for (int group = 0; group < 60; ++group) groups.push_back({name(group)});
  for (const bool everywhere : {true, false}) {
    World world = World(false).add(over_all(), 0.92, SqlType::integer(), NoiseLaw::laplace);
    world.users.several_groups = true;
    world.plan.aggregates[0].bounds_epsilon = Epsilon(0.08);
    world.plan.aggregates[0].euclidean_deviation = euclidean_deviation(Epsilon(0.92), Delta(1e-6));
    std::vector<Person> people;
    for (int i = 0; i < 2'400; ++i) {
      Person person;
      for (int group = 0; group < 60; ++group) {
        if (everywhere || group == i % 60) person.groups[name(group)] = {5};
      }
      people.push_back(person);
    }
    const double truth = everywhere ? 12'000.0 : 200.0;
    int lengths = 0;
    double error = 0.0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const NoisyRows rows = world.release(people, groups, seed);
      lengths += rows.columns[1].mechanism == "gaussian" ? 1 : 0;
      for (const auto& row : rows.rows) error += std::fabs(number(row[1].value) - truth) / 480.0;
    }
    EXPECT_EQ(lengths > 4, everywhere);
    // Laplace noise for a sum of 300 would be 326; Gaussian noise for a length of 39 is 141.
    EXPECT_LT(error, everywhere ? 210.0 : 12.0);
  }
}

// Few people may be beyond the bound: the interval is widened by a noisy number of them, times what one can have.
TEST(OverAllColumn, PublicFactsMakeTheIntervalHoldTheTruth) {
  World world = World(false).add(over_all(), 1.0, SqlType::integer(), NoiseLaw::laplace);
  world.users.several_groups = world.users.keeps_all_rows = true;
  world.users.aggregates[0].value.most = 1;
  world.users.aggregates[0].facts = UserBounds{0, 1};
  world.plan.aggregates[0].bounds_epsilon = Epsilon(3.0 / 16.0);
  world.plan.aggregates[0].beyond_epsilon = Epsilon(1.0 / 16.0);
  std::vector<Person> people;
  for (int i = 0; i < 300; ++i) {
    Person person;
    for (int group = 0; group < 1 + i % 9; ++group) person.groups[std::string(1, static_cast<char>('a' + group))] = {1};
    people.push_back(person);
  }
  GroupList groups;
  for (int group = 0; group < 9; ++group) groups.push_back({std::string(1, static_cast<char>('a' + group))});
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const NoisyRows rows = world.release(people, groups, seed);
    EXPECT_EQ(rows.columns[1].left_out, "");
    held += number(rows.rows[0][1].interval95->first) <= 300 && number(rows.rows[0][1].interval95->second) >= 300;
  }
  EXPECT_GT(held, 370);
}

TEST(FindGroupCount, HowManyGroupsCountIsFoundWithNoise) {
  World world = World(false).add(user_aggregate(mean_statistic(), UserBounds{0, 10}), 1.0, SqlType::real());
  world.users.several_groups = world.users.samples_groups = world.users.infers_groups = true;
  world.users.groups_per_user = 9;
  world.plan.groups_epsilon = Epsilon(0.05);
  for (const int level : group_levels(9)) {
    UsersPlan plan = world.plan;
    plan.groups_per_user = level;
    world.plan.by_level.push_back(plan);
  }
  GroupList groups;
  for (int group = 0; group < 9; ++group) groups.push_back({std::string(1, static_cast<char>('a' + group))});
  const auto people = [](int groups_each) {
    Person person;
    for (int group = 0; group < groups_each; ++group)
      person.groups[std::string(1, static_cast<char>('a' + group))] = {4};
    return std::vector<Person>(3'000, person);
  };
  for (const int each : {1, 3, 9}) {
    const NoisyRows rows = world.release(people(each), groups);
    const std::string told = rows.notes.empty() ? "" : rows.notes.front();
    const bool says = told.find(fmt::format("at most {} group", each)) != std::string::npos;
    EXPECT_EQ(says, each < 9) << told;
    EXPECT_NEAR(number(rows.rows[0][1].value), 4.0, 0.2);
  }
}

}  // namespace
}  // namespace tacit
