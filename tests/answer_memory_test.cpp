// An answer that would not fit the memory is refused before it is charged, and before its groups are made.

#include "answer_memory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "answer_query.hpp"
#include "support/policy_head.hpp"
#include "support/required.hpp"
#include "support/test_database.hpp"
#include "support/time_limit.hpp"

namespace tacit::testing {
namespace {

// A million groups of two keys that the policy lists.
Connection open(const TestDatabase& database, const std::string& engine) {
  database.run({"CREATE TABLE IF NOT EXISTS visit (ward INTEGER, room INTEGER, cost INTEGER)",
                "INSERT INTO visit VALUES (1, 2, 3)"});
  return testing::required(open_policy(database.write_policy(engine + budget_section({.epsilon = 100}) + R"(
[tables.visit]
rows = "add-remove"
[tables.visit.columns]
ward = { min = 1, max = 1000 }
room = { min = 1, max = 1000 }
cost = { min = 0, max = 10 }
)")));
}

std::string sums(int count, const std::string& rest) {
  std::string text = "SELECT ward, room";
  for (int i = 0; i < count; ++i) text += fmt::format(", SUM(cost + {})", i);
  return text + " FROM visit GROUP BY ward, room" + rest;
}

TEST(AnswerMemory, MillionsOfCellsAreRefusedAndCostNothing) {
  const TestDatabase database(EngineKind::duckdb);
  Connection opened = open(database, "");
  const double start = cpu_seconds();
  const auto refused = answer_query(opened, {sums(300, ""), {}, Epsilon(1.0), {}});
  EXPECT_LT(cpu_seconds() - start, time_limit(2.0));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, FailureCode::refused);
  EXPECT_NE(refused.error().what.find("1000000 groups with 302 columns"), std::string::npos) << refused.error().what;
  const auto left = opened.database->ledger().remaining("ana", "rows/add-remove");
  ASSERT_TRUE(left.has_value());
  EXPECT_EQ(left->epsilon.value(), 100.0);
}

TEST(AnswerMemory, FollowsThePolicyAndTheQuery) {
  const TestDatabase database(EngineKind::duckdb);
  Connection opened = open(database, "memory = \"100MB\"\n");
  const auto fits = [&](const std::string& sql, std::size_t groups) {
    const auto planned = testing::required(plan_query(opened, {sql, {}, Epsilon(1.0), {}}), sql);
    return check_answer_memory(planned, groups).has_value();
  };
  EXPECT_TRUE(fits(sums(1, ""), 100'000));
  EXPECT_FALSE(fits(sums(1, ""), 1'000'000));
  EXPECT_FALSE(fits(sums(20, ""), 100'000));
  EXPECT_TRUE(fits(sums(20, " LIMIT 10"), 100'000)) << "rows that are not shown are not printed";
  EXPECT_FALSE(fits(sums(400, " LIMIT 10"), 1'000'000)) << "but their cells are made";
}

}  // namespace
}  // namespace tacit::testing
