// Whole answers of the users model on a real database: which groups are shown, what they cost, and what is said.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "answer/print_answer.hpp"
#include "answer_query.hpp"
#include "list_groups.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/users/sampling_key.hpp"
#include "noise/users/users_release.hpp"
#include "plan_query.hpp"
#include "rewrite/private_statement.hpp"
#include "support/policy_head.hpp"
#include "support/required.hpp"
#include "support/test_database.hpp"

namespace tacit::testing {
namespace {

// 1,000 people with two visits each; 600 of them in Ulm, 399 in Bonn, one in a hamlet; plans a, b of a declared domain.
class UsersFlow : public ::testing::Test {
 protected:
  void SetUp() override {
    database_.run({"CREATE TABLE person (id INTEGER PRIMARY KEY, city VARCHAR, plan VARCHAR)",
                   "INSERT INTO person SELECT i, CASE WHEN i < 600 THEN 'Ulm' WHEN i < 999 THEN 'Bonn' ELSE 'hamlet' "
                   "END, CASE WHEN i % 4 = 0 THEN 'a' ELSE 'b' END FROM range(1000) t(i)",
                   "CREATE TABLE visit (person INTEGER, cost INTEGER, day DATE)",
                   "INSERT INTO visit SELECT i % 1000, 3, DATE '2024-01-01' FROM range(2000) t(i)"});
    auto opened = open_policy(database_.write_policy(budget_section({.epsilon = 10000, .delta = 0.5}) + R"(
[tables.person]
owner = "id"
primary_key = ["id"]
[tables.person.columns]
plan = { values = ["a", "b", "c"] }
[tables.visit]
owner_through = { columns = ["person"], references = "person" }
[tables.visit.columns]
cost = { min = 0, max = 10 }
)"));
    ASSERT_TRUE(opened.has_value()) << to_line(opened.error());
    opened_.emplace(std::move(*opened));
  }

  Answer ask(const std::string& sql, double epsilon, double delta) {
    return std::get<Answer>(required(answer_query(*opened_, {sql, {}, Epsilon(epsilon), Delta(delta)}), sql));
  }

  Failure refusal(const std::string& sql, double epsilon, double delta) {
    const auto answered = answer_query(*opened_, {sql, {}, Epsilon(epsilon), Delta(delta)});
    EXPECT_FALSE(answered.has_value()) << sql;
    return answered ? Failure{} : answered.error();
  }

  static std::set<std::string> keys(const Answer& answer) {
    std::set<std::string> keys;
    for (const auto& row : answer.rows.rows) keys.insert(to_string(row[0].value));
    return keys;
  }

  static double number(const NoisyCell& cell) {
    if (const auto* real = std::get_if<double>(&cell.value)) return *real;
    return to_double(std::get<Decimal>(cell.value));
  }

  Remaining left() { return required(opened_->database->ledger().states()).at(0).remaining; }

  TestDatabase database_{EngineKind::duckdb};
  std::optional<Connection> opened_;
};

TEST_F(UsersFlow, PrivateKeysShowLargeGroupsAndHideOnePerson) {
  for (const char* options : {"", "WITH DIFFERENTIAL_PRIVACY OPTIONS(group_selection_strategy = LAPLACE_THRESHOLD) "}) {
    const Answer answer =
        ask(fmt::format("SELECT {}city, COUNT(DISTINCT id) FROM person GROUP BY city", options), 1, 1e-9);
    EXPECT_EQ(keys(answer), (std::set<std::string>{"Bonn", "Ulm"})) << "a hamlet of one shows with chance 1e-9";
  }
}

TEST_F(UsersFlow, PrivateKeysNeedADeltaAndARefusalCostsNothing) {
  const Failure failure = refusal("SELECT city, COUNT(*) FROM person GROUP BY city", 1, 0);
  EXPECT_EQ(failure.code, FailureCode::refused);
  EXPECT_NE(to_line(failure).find("delta"), std::string::npos) << to_line(failure);
  EXPECT_EQ(left().epsilon, Epsilon(10000.0));
  EXPECT_EQ(left().delta, Delta(0.5));
}

TEST_F(UsersFlow, TheLedgerIsChargedEpsilonAndDelta) {
  const Answer answer = ask("SELECT city, COUNT(DISTINCT id) FROM person GROUP BY city", 2, 0.125);
  EXPECT_EQ(answer.spent.epsilon, Epsilon(2.0));
  EXPECT_EQ(answer.spent.delta, Delta(0.125));
  EXPECT_EQ(left().epsilon, Epsilon(9998.0));
  EXPECT_EQ(left().delta, Delta(0.375));
}

TEST_F(UsersFlow, ListedKeysNeedNoDeltaAndShowEmptyGroups) {
  const Answer answer = ask("SELECT plan, COUNT(DISTINCT id) AS n FROM person GROUP BY plan ORDER BY plan", 4, 0);
  ASSERT_EQ(keys(answer), (std::set<std::string>{"a", "b", "c"}));
  EXPECT_EQ(answer.spent.delta, Delta(0.0));
  EXPECT_NEAR(number(answer.rows.rows[0][1]), 250, 40);
  EXPECT_NEAR(number(answer.rows.rows[1][1]), 750, 40);
  EXPECT_NEAR(number(answer.rows.rows[2][1]), 0, 40);
}

TEST_F(UsersFlow, LeftoversAreOneMoreRow) {
  const Answer answer = ask(
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(leftovers = true) city, COUNT(DISTINCT id) FROM person GROUP BY city",
      4, 1e-9);
  ASSERT_EQ(answer.rows.rows.size(), 3U);
  int nulls = 0;
  for (const auto& row : answer.rows.rows) nulls += std::holds_alternative<Null>(row[0].value) ? 1 : 0;
  EXPECT_EQ(nulls, 1) << "the leftovers have no key";
}

// 300 counts of people at epsilon 0.02: mean |noise| 50, standard error 2.9.
TEST_F(UsersFlow, AnswersCarryThePlannedNoise) {
  double total = 0.0;
  for (int i = 0; i < 300; ++i)
    total += std::fabs(number(ask("SELECT COUNT(DISTINCT id) FROM person", 0.02, 0).rows.rows[0][0]) - 1000.0);
  EXPECT_GT(total / 300, 32.0);
  EXPECT_LT(total / 300, 68.0);
}

TEST_F(UsersFlow, APersonsRowsAreClampedTogether) {
  // Two visits of 3 are 6 of each person; bounds say 4.
  const Answer answer = ask("SELECT ANON_SUM(cost, 0, 4) FROM visit", 4, 0);
  EXPECT_NEAR(number(answer.rows.rows[0][0]), 4000, 60);
}

TEST_F(UsersFlow, BoundsNobodyStatedAreFound) {
  const Answer answer = ask("SELECT COUNT(*), SUM(person) FROM visit", 4, 0);
  EXPECT_NEAR(number(answer.rows.rows[0][0]), 2000, 250);
  EXPECT_NEAR(number(answer.rows.rows[0][1]), 999'000, 100'000);
}

TEST_F(UsersFlow, EveryAggregateHasAnAnswerInItsRange) {
  const Answer answer =
      ask("SELECT AVG(cost), ANON_VAR(cost, 0, 10), ANON_STDDEV(cost, 0, 10), MIN(cost), MAX(cost), MEDIAN(cost), "
          "ANON_NTILE(cost, 0.9, 0, 10), COUNT(DISTINCT cost, contribution_bounds_per_group => (0, 2)), COUNT(cost) "
          "FROM visit",
          4, 0);
  ASSERT_EQ(answer.rows.rows.size(), 1U);
  const auto& row = answer.rows.rows[0];
  EXPECT_NEAR(number(row[0]), 3, 1);
  EXPECT_GE(number(row[1]), 0);
  EXPECT_LE(number(row[1]), 25);
  EXPECT_LE(number(row[2]), 5);
  for (const std::size_t i : {3U, 4U, 5U, 6U}) {
    EXPECT_GE(number(row[i]), 0);
    EXPECT_LE(number(row[i]), 10);
  }
}

TEST_F(UsersFlow, EmptyTablesCountWithoutNulls) {
  const Answer answer = ask("SELECT COUNT(*), SUM(cost), COUNT(DISTINCT person) FROM visit WHERE cost > 5", 1, 0);
  ASSERT_EQ(answer.rows.rows.size(), 1U);
  for (const auto& cell : answer.rows.rows[0]) EXPECT_FALSE(std::holds_alternative<Null>(cell.value));
}

TEST_F(UsersFlow, EverythingSuppressedIsSaidWithAWayOut) {
  const Answer answer = ask("SELECT id / 2, COUNT(*) FROM person GROUP BY id / 2", 1, 1e-9);
  EXPECT_TRUE(answer.rows.rows.empty());
  const std::string text = print_answer(answer, Format::table);
  EXPECT_NE(text.find("suppressed"), std::string::npos) << text;
}

TEST_F(UsersFlow, JsonTellsModelDeltaAndGroups) {
  const std::string text =
      print_answer(ask("SELECT city, COUNT(DISTINCT id) AS n FROM person GROUP BY city", 1, 1e-6), Format::json);
  for (const char* part :
       {"\"model\"", "\"users\"", "\"delta\"", "\"epsilon\"", "\"Ulm\"", "\"n\"", "\"interval95\"", "\"spent\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

// A plan is a function of public facts; what is drawn comes with the noise (sampling_test: a fresh key per question).
TEST_F(UsersFlow, PlansHaveNoKeyAndStatementsDo) {
  const Question question{"SELECT day, COUNT(*) FROM visit GROUP BY day", {}, {}, Delta(1e-6)};
  const auto planned = plan_query(*opened_, question);
  ASSERT_TRUE(planned.has_value()) << to_line(planned.error());
  EXPECT_EQ(planned->engine_query.sql, plan_query(*opened_, question)->engine_query.sql);
  const auto with = [&](std::uint64_t key) {
    return private_statement(planned->mechanism, opened_->engine->dialect(), {key}).sql;
  };
  EXPECT_EQ(with(0), planned->engine_query.sql);
  EXPECT_NE(with(1), with(2));
  std::set<std::uint64_t> keys;
  for (int i = 0; i < 20; ++i) keys.insert(draw_sampling_key(*system_entropy()));
  EXPECT_EQ(keys.size(), 20U);
}

TEST_F(UsersFlow, ExplainSpendsNothingAndNamesThePrice) {
  const auto told = answer_query(
      *opened_,
      {"EXPLAIN (PRIVACY) SELECT city, AVG(id), COUNT(*) FROM person GROUP BY city", {}, Epsilon(1.0), Delta(1e-6)});
  ASSERT_TRUE(told.has_value()) << to_line(told.error());
  const std::string text = print_explanation(std::get<Explanation>(*told), Format::table);
  EXPECT_NE(text.find("epsilon"), std::string::npos) << text;
  EXPECT_EQ(left().epsilon, Epsilon(10000.0));
}

TEST_F(UsersFlow, EpsilonAboveTheCapIsRefused) {
  const auto answer =
      answer_query(*opened_, {"SELECT WITH ANONYMIZATION OPTIONS(epsilon = 1e20) COUNT(*) FROM person", {}, {}, {}});
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, FailureCode::refused);
}

// The product of such a decimal with a power of ten does not fit DuckDB's 64 bits: it is taken in two parts, or in 128.
TEST(UsersDecimals, LongOnesAreTurnedIntoStepsExactly) {
  for (const int scale : {2, 4, 8, 9, 10, 17}) {
    const std::string most = std::string(static_cast<std::size_t>(18 - scale), '9') + "." +
                             std::string(static_cast<std::size_t>(scale), '9');
    const std::string least = "0." + std::string(static_cast<std::size_t>(scale - 1), '0') + "1";
    TestDatabase database(EngineKind::duckdb);
    database.run({"CREATE TABLE payment (person INTEGER PRIMARY KEY, amount DECIMAL(18," + std::to_string(scale) + "))",
                  fmt::format("INSERT INTO payment VALUES (1, {}), (2, -{}), (3, {}), (4, -{}), (5, 0), (6, NULL)",
                              most, most, least, least),
                  fmt::format("INSERT INTO payment VALUES (7, {} - {}), (8, {} - {})", most, least, least, most)});
    auto opened = open_policy(database.write_policy(budget_section({.epsilon = 1}) + R"(
[tables.payment]
owner = "person"
)"));
    ASSERT_TRUE(opened.has_value()) << to_line(opened.error());
    for (const auto& [condition, total] : std::map<std::string, std::string>{
             {"person IN (1)", most},
             {"person IN (2)", "-" + most},
             {"person IN (3)", least},
             {"person IN (4)", "-" + least},
             {"person IN (5, 6)", "0." + std::string(static_cast<std::size_t>(scale), '0')},
             {"person IN (1, 7, 8)", most},
             {"person IN (1, 2, 4)", "-" + least}}) {
      auto planned = plan_query(
          *opened, {fmt::format("SELECT ANON_SUM(amount, -{0}, {0}) FROM payment WHERE {1}", most, condition),
                    {},
                    Epsilon(1.0),
                    Delta(0.0)});
      ASSERT_TRUE(planned.has_value()) << to_line(planned.error());
      const auto rows = opened->engine->run(planned->engine_query);
      ASSERT_TRUE(rows.has_value()) << to_line(rows.error());
      const auto groups = list_groups(*opened->engine, *planned);
      ASSERT_TRUE(groups.has_value()) << to_line(groups.error());
      const NoisyRows exact = reveal_users(*rows, planned->mechanism, *groups);
      EXPECT_EQ(to_string(exact.rows.at(0).at(0).value), total) << condition << " " << scale;
    }
  }
}

}  // namespace
}  // namespace tacit::testing
