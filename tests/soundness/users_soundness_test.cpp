// The users model's central claim, on the real engines: for random schemas, policies, queries and databases, taking one
// person away changes at most k groups of what the one statement computes, each by what one person may say, and no
// other row that the aggregates read; every such row holds stored rows of its owner alone; and no statement ever fails.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "mechanism/users/users_plan.hpp"
#include "soundness/soundness.hpp"
#include "soundness/users/users_model.hpp"
#include "support/postgres_server.hpp"

namespace tacit::soundness::users {
namespace {

using testing::EngineKind;

class UsersSoundness : public Soundness<UsersModel> {
 protected:
  void look(int count, std::uint64_t offset, EngineKind engine) {
    look_at_worlds(count, offset, engine);
    if (HasFailure()) return;
    tally_.expect_share("answered", 50, "asked", "the generator writes queries that are refused");
    tally_.expect_share("moved", 25, "pairs", "most people do not show in most answers");
    if (count < 20) return;
    tally_.expect_some("moved in several groups", "nobody has two groups");
    if (engine == EngineKind::postgres) tally_.expect_some("worlds refused", "everybody has one spelling");
  }
};

TEST_F(UsersSoundness, NobodyMovesMoreThanTheirShareOnDuckDb) { look(count_, 0, EngineKind::duckdb); }

TEST_F(UsersSoundness, NobodyMovesMoreThanTheirShareOnPostgres) {
  // Fewer worlds may all be poor ones, however few are asked for under the sanitizers.
  constexpr int least = 20;
  look(std::max(least, count_ / 5), 1'000'000, EngineKind::postgres);
}

// Infinite dates read as NULL. If they were three groups of the engine, Gaussian noise, which pays for a person in
// three cells by the root of three, would not pay for three times in one cell.
TEST_F(UsersSoundness, KeysThatReadTheSameAreOneGroupOfAPerson) {
  Case<UsersModel> test;
  Table own;
  own.name = "own";
  own.model = Table::Model::owner;
  own.owner = "who";
  own.columns = {{"who", Kind::integer, ""}, {"day", Kind::date, ""}};
  test.world.tables = {own};
  const auto row = [](int who, const char* day) { return Row{{std::to_string(who), day}, who}; };
  test.one = {{row(0, "NULL"), row(0, "CAST('infinity' AS DATE)"), row(0, "CAST('-infinity' AS DATE)"),
               row(1, "DATE '2024-01-01'")}};
  test.query.options =
      "WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed = 3, delta = 0.05, group_selection_strategy = "
      "OPTIMAL) ";
  test.query.keys = {"day"};
  test.query.aggregates = {"COUNT(DISTINCT who)"};
  for (int i = 1; i < 12; ++i) {
    test.query.aggregates.push_back(fmt::format("COUNT(*, contribution_bounds_per_group => (0, {}))", i));
  }
  test.query.from = "$.own";
  test.other = without(test.one, test.change.person);
  for (const EngineKind engine : testing::every_engine) {
    test.engine = engine;
    const OpenedWorld opened = open_world(test.world, std::vector<Data>{test.one}, engine);
    const auto planned = UsersModel::plan(opened, test.query.sql(schema_of(0)));
    ASSERT_TRUE(planned.has_value()) << to_line(planned.error());
    EXPECT_EQ(plan_of<UsersPlan>(planned->mechanism).aggregates.front().noise.law, NoiseLaw::gaussian)
        << "the test needs it";
    EXPECT_EQ(violation_of(model_, test), std::nullopt);
  }
}

// Whoever has several spellings for the server would be several people for Tacit.
TEST_F(UsersSoundness, OwnersOfSeveralSpellingsAreRefused) {
  World world;
  world.person = Kind::text;
  Table& own = world.tables.emplace_back();
  own.name = "own";
  own.model = Table::Model::owner;
  own.owner = "who";
  own.columns = {{"who", Kind::text, "", true}};
  const auto possible = spellings(testing::PostgresServer::shared().major_version());
  for (const Spelling spelling : possible) {
    SCOPED_TRACE(static_cast<int>(spelling));
    world.spelling = spelling;
    const OpenedWorld opened = open_world(world, std::vector<Data>{{{}}}, EngineKind::postgres);
    ASSERT_EQ(opened.failure().has_value(), !is_read_in_one_way(spelling));
    EXPECT_TRUE(!opened.failure() || model_.may_refuse(world, *opened.failure())) << to_line(*opened.failure());
  }
}

}  // namespace
}  // namespace tacit::soundness::users
