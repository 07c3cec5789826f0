// Metric questions through the whole flow: every noise the owner may select, that answers carry it, and what stays
// hidden.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "answer_query.hpp"
#include "support/policy_head.hpp"
#include "support/required.hpp"
#include "support/test_database.hpp"

namespace tacit::testing {
namespace {

// 100 salaries of 1000; nothing bounds them, so the sensitivity of SUM(salary * salary) moves with the data.
class MetricFlow : public ::testing::Test {
 protected:
  Connection open(const std::string& metric_section) {
    database_.run({"CREATE TABLE IF NOT EXISTS staff (id INTEGER PRIMARY KEY, room TEXT, salary INTEGER)",
                   "DELETE FROM staff", "INSERT INTO staff SELECT i, 'a', 1000 FROM generate_series(1, 100) AS t(i)"});
    return required(open_policy(database_.write_policy(
        budget_section({.epsilon = 100000, .delta = 1e-3, .defaults = "epsilon_max = 1000"}) + R"(
[tables.staff]
primary_key = ["id"]
metric = "0.01 * salary"
public_columns = ["id", "room"]
)" + metric_section)));
  }

  const TestDatabase database_{EngineKind::duckdb};
};

constexpr const char* squares = "SELECT SUM(salary * salary) AS s FROM staff";
constexpr double exact = 1e8;
constexpr double bound = 2 * 1000 * 100.0;  // |d s / d salary| = 2 salary, a hundred to the unit of distance

double answer_of(Connection& opened, const char* sql) {
  const auto told = required(answer_query(opened, {sql, {}, Epsilon(1.0), Delta(1e-6)}), sql);
  const auto& answer = std::get<Answer>(told);
  return to_double(std::get<Decimal>(answer.rows.rows[0][0].value));
}

TEST_F(MetricFlow, EveryNoiseOfThePolicyCanBeAsked) {
  for (const char* law : {"power-laplace", "generalized-cauchy", "student-t", "laplace-delta"}) {
    SCOPED_TRACE(law);
    // Laplace with a delta needs a small beta.
    auto opened = open(fmt::format("[metric]\nmechanism = \"{}\"\nbeta = 0.03\n", law));
    const auto told = answer_query(opened, {squares, {}, Epsilon(1.0), Delta(1e-6)});
    ASSERT_TRUE(told.has_value()) << to_line(told.error());
    const auto& answer = std::get<Answer>(*told);
    EXPECT_EQ(answer.rows.columns[0].mechanism, law);
    EXPECT_FALSE(answer.rows.columns[0].scale.has_value()) << "the scale is private";
    EXPECT_FALSE(answer.rows.rows[0][0].interval95.has_value()) << "and so is an interval made of it";
    EXPECT_EQ(answer.spent.delta.value() > 0.0, std::string(law) == "laplace-delta");
  }
}

TEST_F(MetricFlow, LaplaceIsRefusedWhereNoNumberBoundsEveryDatabase) {
  auto opened = open("[metric]\nmechanism = \"laplace\"\n");
  const auto refused = answer_query(opened, {squares, {}, Epsilon(1.0), {}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(to_line(refused.error()).find("no one number bounds every database"), std::string::npos);
  EXPECT_TRUE(answer_query(opened, {"SELECT SUM(salary) FROM staff", {}, Epsilon(1.0), {}}).has_value());
}

// 400 answers: the share beyond the planned median is binomial(400, 1/2); outside [136, 264] with probability 1e-10.
TEST_F(MetricFlow, AnswersCarryTheNoiseOfTheirBound) {
  auto opened = open("");
  const auto explained = explain_query(opened, {squares, {}, Epsilon(1.0), {}}, true);
  ASSERT_TRUE(explained.has_value()) << to_line(explained.error());
  const auto& analyzed = explained->analyze->bounds[0][0];
  EXPECT_NEAR(analyzed.value, exact, 0.5);
  EXPECT_NEAR(analyzed.sensitivity, bound, bound * 0.01) << "smoothing costs nothing at values this large";
  EXPECT_NEAR(analyzed.error_p95 / analyzed.sensitivity, 3.527, 0.01) << "power-Laplace noise at beta = 0.1 epsilon";
  int beyond = 0;
  for (int i = 0; i < 400; ++i) beyond += std::fabs(answer_of(opened, squares) - exact) > analyzed.error_median ? 1 : 0;
  EXPECT_GE(beyond, 136);
  EXPECT_LE(beyond, 264);
}

// The distance of a query names the tables it reads; the account stays that of the whole policy.
TEST_F(MetricFlow, ExplainNamesTheTablesThatAreReadAndSoftConditions) {
  database_.run({"CREATE TABLE IF NOT EXISTS tank (id INTEGER, level DOUBLE PRECISION)"});
  auto opened = open(
      "[tables.tank]\nmetric = \"level\"\npublic_columns = [\"id\"]\n"
      "columns.level = { min = 0, max = 0.1, precision = 5 }\n");
  const auto of_staff = explain_query(opened, {squares, {}, Epsilon(1.0), {}}, false);
  ASSERT_TRUE(of_staff.has_value()) << to_line(of_staff.error());
  EXPECT_EQ(of_staff->neighbours, "distance between databases: l1 of l1 over the rows of staff of 0.01 * salary");
  EXPECT_TRUE(of_staff->notes.empty());
  const auto soft = explain_query(opened, {"SELECT COUNT(*) FROM tank WHERE level > 3", {}, Epsilon(1.0), {}}, false);
  ASSERT_TRUE(soft.has_value()) << to_line(soft.error());
  EXPECT_EQ(soft->neighbours, "distance between databases: l1 of l1 over the rows of tank of level");
  ASSERT_EQ(soft->notes.size(), 1U);
  EXPECT_NE(soft->notes[0].find("is soft"), std::string::npos) << soft->notes[0];
  EXPECT_NE(soft->notes[0].find("filters nothing"), std::string::npos) << soft->notes[0];
}

TEST_F(MetricFlow, ExplainShowsEveryStatementAndSpendsNothing) {
  auto opened = open("");
  const auto explained = explain_query(opened, {squares, {}, Epsilon(1.0), {}}, false);
  ASSERT_TRUE(explained.has_value()) << to_line(explained.error());
  EXPECT_EQ(explained->model, "metric");
  EXPECT_FALSE(explained->sql_modified.empty());
  EXPECT_FALSE(explained->sql_sensitivity.empty());
  EXPECT_FALSE(explained->derivation.children.empty());
  EXPECT_TRUE(explained->errors[0].per_unit_of_bound);
  EXPECT_EQ(explained->remaining.epsilon, Epsilon(100000.0));
}

}  // namespace
}  // namespace tacit::testing
