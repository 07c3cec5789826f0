// The whole flow on a real database: what a question costs, and that no stored value can make it fail.

#include <duckdb.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "answer_query.hpp"
#include "engine/end_of_process.hpp"
#include "support/plain_duckdb.hpp"
#include "support/policy_head.hpp"
#include "support/required.hpp"
#include "support/temporary_folder.hpp"
#include "support/time_limit.hpp"

namespace tacit::testing {
namespace {

class Flow : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("flow.toml",
                  engine_section("duckdb:flow.duckdb") + budget_section({.epsilon = 10, .delta = 1e-6}) + R"(
[tables.v]
rows = "add-remove"
[tables.p]
public = true
primary_key = ["k"]
)");
  }

  void write(const std::vector<std::string>& statements) {
    PlainDuckDb(folder_.file("flow.duckdb")).run_all(statements);
  }

  Connection open() { return required(open_policy(folder_.file("flow.toml"))); }

  void set_timeout(const std::string& timeout) {
    std::ifstream file(folder_.file("flow.toml"));
    std::string text{std::istreambuf_iterator<char>(file), {}};
    text.insert(text.find("[budget]"), "timeout = \"" + timeout + "\"\n");
    folder_.write("flow.toml", text);
  }

  static long failures(Connection& opened) {
    const auto events = required(opened.database->ledger().history(100));
    return std::ranges::count(events, "failed", &LedgerEvent::kind);
  }

  static double left(Connection& opened) {
    const auto counted = counted_in(opened.database->accounts(), "rows/add-remove");
    return required(opened.database->ledger().remaining("ana", "rows/add-remove", counted)).epsilon.value();
  }

  TemporaryFolder folder_;
};

// Infinite dates read as NULL. Whether the data has one beside an unmatched row must not show in any way.
TEST_F(Flow, KeysThatReadTheSameAreOneGroup) {
  write({"CREATE TABLE p (k INTEGER, until DATE)",
         "INSERT INTO p VALUES (1, 'infinity'), (2, DATE '2020-01-01'), (3, '-infinity'), (4, NULL)",
         "CREATE TABLE v (id INTEGER, k INTEGER)", "INSERT INTO v VALUES (1, 1), (2, 2), (3, 99), (4, 3), (5, 4)"});
  auto opened = open();
  for (const char* join : {"LEFT JOIN", "JOIN"}) {
    const std::string sql = std::string("SELECT until, COUNT(*) FROM v ") + join + " p ON v.k = p.k GROUP BY until";
    const auto answer = answer_query(opened, {sql, {}, Epsilon(1.0), {}});
    ASSERT_TRUE(answer.has_value()) << to_line(answer.error());
    EXPECT_EQ(std::get<Answer>(*answer).rows.rows.size(), 2U) << "one date, one NULL";
  }
}

// Every claim rests on this: what leaves the flow carries the planned noise, fresh each time. 300 counts at epsilon
// 0.02 have mean |noise| 50 with standard error 2.9; the bounds are six of them away (false alarm below 1e-8).
TEST_F(Flow, WholeAnswersCarryThePlannedNoise) {
  write({"CREATE TABLE p (k INTEGER, until DATE)", "CREATE TABLE v (id INTEGER, k INTEGER)",
         "INSERT INTO v SELECT i, i FROM range(1000) t(i)"});
  auto opened = open();
  double total = 0.0;
  double signed_total = 0.0;
  constexpr int questions = 300;
  for (int i = 0; i < questions; ++i) {
    const auto answer = answer_query(opened, {"SELECT COUNT(*) FROM v", {}, Epsilon(0.02), {}});
    ASSERT_TRUE(answer.has_value()) << to_line(answer.error());
    const double noise = to_double(std::get<Decimal>(std::get<Answer>(*answer).rows.rows[0][0].value)) - 1000.0;
    total += std::fabs(noise);
    signed_total += noise;
  }
  EXPECT_GT(total / questions, 32.0);
  EXPECT_LT(total / questions, 68.0);
  EXPECT_LT(std::fabs(signed_total / questions), 25.0);  // standard error 4.1
  EXPECT_NEAR(left(opened), 10.0 - questions * 0.02, 1e-6);
}

TEST_F(Flow, ADeclaredKeyThatRepeatsIsRefusedAndCostsNothing) {
  write({"CREATE TABLE p (k INTEGER, until DATE)", "INSERT INTO p VALUES (1, NULL), (1, NULL)",
         "CREATE TABLE v (id INTEGER, k INTEGER)"});
  auto opened = open();
  const auto answer = answer_query(opened, {"SELECT COUNT(*) FROM v JOIN p ON v.k = p.k", {}, {}, {}});
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, FailureCode::refused);
  EXPECT_NE(answer.error().what.find("not unique"), std::string::npos);
  EXPECT_EQ(left(opened), 10.0);
}

TEST_F(Flow, EmptyTablesAnswerAndAreCharged) {
  write({"CREATE TABLE p (k INTEGER, until DATE)", "CREATE TABLE v (id INTEGER, k INTEGER)"});
  auto opened = open();
  const auto count =
      answer_query(opened, {"SELECT COUNT(*), ANON_SUM(id, 0, 5), ANON_AVG(k, 0, 9) FROM v", {}, Epsilon(2.0), {}});
  ASSERT_TRUE(count.has_value()) << to_line(count.error());
  const auto& rows = std::get<Answer>(*count).rows.rows;
  ASSERT_EQ(rows.size(), 1U);
  for (const std::size_t i : {0U, 1U}) EXPECT_FALSE(std::holds_alternative<Null>(rows[0][i].value));
  EXPECT_EQ(left(opened), 8.0);
}

TEST_F(Flow, ExplainSpendsNothing) {
  write({"CREATE TABLE p (k INTEGER, until DATE)", "CREATE TABLE v (id INTEGER, k INTEGER)"});
  auto opened = open();
  const auto told = answer_query(opened, {"EXPLAIN (PRIVACY) SELECT COUNT(*) FROM v", {}, {}, {}});
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(std::get<Explanation>(*told).epsilon.value(), 1.0);
  EXPECT_FALSE(std::get<Explanation>(*told).analyze.has_value());
  EXPECT_EQ(left(opened), 10.0);
}

TEST_F(Flow, EpsilonStaysWithinThePolicysLimits) {
  write({"CREATE TABLE p (k INTEGER, until DATE)", "CREATE TABLE v (id INTEGER, k INTEGER)"});
  auto opened = open();
  for (const double epsilon : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e-320, 1e-9, 5.0, 1e308}) {
    const auto answer = answer_query(opened, {"SELECT COUNT(*) FROM v", {}, Epsilon(epsilon), {}});
    ASSERT_FALSE(answer.has_value()) << epsilon;
    EXPECT_EQ(answer.error().code, FailureCode::usage);
  }
  const auto option =
      answer_query(opened, {"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1e20) COUNT(*) FROM v", {}, {}, {}});
  ASSERT_FALSE(option.has_value());
  EXPECT_EQ(option.error().code, FailureCode::refused);
  EXPECT_EQ(left(opened), 10.0);
}

// The view keeps DuckDB in one call for seconds, whatever it is told. The time one row takes must not be the answer.
TEST_F(Flow, ADeadlineThatTheEngineDoesNotKeepIsAFailureLikeAnyOther) {
  write({"CREATE TABLE texts AS SELECT i AS id, repeat('a', 12000) AS x FROM range(16) r(i)",
         "CREATE VIEW v AS SELECT id FROM texts WHERE levenshtein(x, repeat('b', 12000)) < 0",
         "CREATE TABLE p (k INTEGER)"});
  set_timeout("300ms");
  {
    auto opened = open();
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = answer_query(opened, {"SELECT COUNT(*) FROM v", {}, Epsilon(1.0), {}});
    EXPECT_LT(seconds_since(begin), 0.3 + time_limit(2));
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().what, "the engine did not finish within 0.3 s");
    EXPECT_EQ(left(opened), 9.0);
    EXPECT_EQ(failures(opened), 1);
    // The engine is of no use any more: the next question is not charged.
    const auto next = answer_query(opened, {"SELECT COUNT(*) FROM v", {}, Epsilon(1.0), {}});
    ASSERT_FALSE(next.has_value());
    EXPECT_EQ(next.error().code, FailureCode::engine);
    EXPECT_EQ(left(opened), 9.0);
    EXPECT_EQ(failures(opened), 1);
  }
  while (has_abandoned_statements()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

}  // namespace
}  // namespace tacit::testing
