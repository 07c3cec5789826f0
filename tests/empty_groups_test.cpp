// Averages, variances, quantiles, MIN and MAX of groups without values, in every model on both engines: no number is
// made up, and a note says why. Each test fails by chance once in about 1e4 runs or less.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "answer/print_answer.hpp"
#include "answer_query.hpp"
#include "support/policy_head.hpp"
#include "support/required.hpp"
#include "support/test_database.hpp"

namespace tacit::testing {
namespace {

constexpr int hours = 24;

// Flights leave at even hours only, 200 in each, and are up to 59 minutes late.
const std::vector<std::string> flights{
    "CREATE TABLE flight (id INTEGER PRIMARY KEY, hour INTEGER, delay INTEGER)",
    "INSERT INTO flight SELECT i, 2 * (i % 12), i % 60 FROM generate_series(1, 2400) AS t(i)",
    "CREATE TABLE nothing (id INTEGER PRIMARY KEY, hour INTEGER, delay INTEGER)"};

const std::string budget = budget_section({.epsilon = 100000, .delta = 1e-3, .defaults = "epsilon_max = 100"});

class EmptyGroups : public ::testing::TestWithParam<EngineKind> {
 protected:
  Connection open(const std::string& tables) {
    return required(open_policy(database_.write_policy(budget + tables)), tables);
  }

  static Answer ask(Connection& opened, const std::string& sql, double epsilon) {
    return std::get<Answer>(required(answer_query(opened, {sql, {}, Epsilon(epsilon), {}}), sql));
  }

  static bool is_null(const NoisyCell& cell) { return std::holds_alternative<Null>(cell.value); }

  // Of 10 answers with 12 empty hours each: with a chance of 0.05 more than 18 of 120 are shown once in 1e5 runs.
  static void expect_empty_hours(Connection& opened, const std::string& aggregate) {
    SCOPED_TRACE(aggregate);
    const std::string sql = fmt::format("SELECT hour, {} AS x FROM flight GROUP BY hour", aggregate);
    int shown = 0;
    for (int i = 0; i < 10; ++i) {
      const Answer answer = ask(opened, sql, 4.0);
      ASSERT_EQ(answer.rows.rows.size(), static_cast<std::size_t>(hours));
      for (const auto& row : answer.rows.rows) {
        const bool flies = std::get<Decimal>(row[0].value).units % 2 == 0;
        EXPECT_EQ(row[1].interval95.has_value(), !is_null(row[1]));
        EXPECT_FALSE(flies && is_null(row[1]));
        shown += !flies && !is_null(row[1]) ? 1 : 0;
      }
      EXPECT_TRUE(std::ranges::any_of(answer.notes, [](const std::string& note) {
        return note.find("of 24 groups may be empty") != std::string::npos;
      })) << print_answer(answer, Format::table);
    }
    EXPECT_LE(shown, 18);
  }

  // Of 40 answers with a chance of 0.05 more than 9 are shown once in 2e4 runs.
  static void expect_nothing(Connection& opened, const std::string& sql) {
    SCOPED_TRACE(sql);
    int shown = 0;
    for (int i = 0; i < 40; ++i) {
      const Answer answer = ask(opened, sql, 1.0);
      const NoisyCell& cell = answer.rows.rows.at(0).at(0);
      if (!is_null(cell)) {
        ++shown;
        continue;
      }
      EXPECT_FALSE(cell.interval95.has_value());
      EXPECT_TRUE(std::ranges::any_of(
          answer.notes, [](const std::string& note) { return note.find("no value at all") != std::string::npos; }));
      EXPECT_NE(print_answer(answer, Format::json).find("null"), std::string::npos);
    }
    EXPECT_LE(shown, 9);
  }

  void SetUp() override { database_.run(flights); }

  const TestDatabase database_{GetParam()};
};

const std::string listed = "hour = { values = [" + [] {
  std::string list;
  for (int hour = 0; hour < hours; ++hour) list += (hour == 0 ? "" : ", ") + std::to_string(hour);
  return list;
}() + "] }\ndelay = { min = 0, max = 540 }\n";

TEST_P(EmptyGroups, Rows) {
  Connection opened = open("[tables.flight]\nrows = \"add-remove\"\n[tables.flight.columns]\n" + listed +
                           "[tables.nothing]\nrows = \"add-remove\"\n[tables.nothing.columns]\n" + listed);
  expect_empty_hours(opened, "AVG(delay)");
  expect_nothing(opened, "SELECT AVG(delay) FROM nothing");
  expect_nothing(opened, "SELECT AVG(delay) FROM flight WHERE delay > 60");
}

TEST_P(EmptyGroups, Users) {
  Connection opened =
      open("[tables.flight]\nowner = \"id\"\nprimary_key = [\"id\"]\n[tables.flight.columns]\n" + listed +
           "[tables.nothing]\nowner = \"id\"\nprimary_key = [\"id\"]\n[tables.nothing.columns]\n" + listed);
  for (const char* aggregate : {"AVG(delay)", "VAR_POP(delay)", "STDDEV(delay)", "MEDIAN(delay)", "MIN(delay)",
                                "MAX(delay)", "QUANTILE(delay, 0.99)"}) {
    expect_empty_hours(opened, aggregate);
  }
  for (const char* aggregate : {"AVG(delay)", "STDDEV(delay)", "MEDIAN(delay)", "MAX(delay)"}) {
    expect_nothing(opened, fmt::format("SELECT {} FROM nothing", aggregate));
    expect_nothing(opened, fmt::format("SELECT {} FROM flight WHERE delay > 60", aggregate));
  }
}

// Here a group is there only if it has rows; which of them a private condition leaves is private.
TEST_P(EmptyGroups, Metric) {
  Connection opened = open(R"(
[tables.flight]
primary_key = ["id"]
metric = "delay"
public_columns = ["id", "hour"]
columns.delay = { min = 0, max = 540 }
[tables.nothing]
primary_key = ["id"]
metric = "delay"
public_columns = ["id", "hour"]
columns.delay = { min = 0, max = 540 }
)");
  expect_nothing(opened, "SELECT AVG(delay) FROM nothing");
  expect_nothing(opened, "SELECT AVG(delay) FROM flight WHERE delay > 100");
  expect_nothing(opened, "SELECT MIN(delay) FROM nothing");
  expect_nothing(opened, "SELECT MAX(delay * delay) FROM flight WHERE hour > 24");
  EXPECT_FALSE(
      is_null(ask(opened, "SELECT MAX(delay), COUNT(*) FROM flight WHERE hour > 2", 4.0).rows.rows.at(0).at(0)));
  const Answer answer = ask(opened, "SELECT AVG(delay) FROM flight", 4.0);
  ASSERT_FALSE(is_null(answer.rows.rows.at(0).at(0)));
  ASSERT_TRUE(answer.rows.rows[0][0].interval95.has_value());
}

INSTANTIATE_TEST_SUITE_P(BothEngines, EmptyGroups, ::testing::ValuesIn(every_engine),
                         [](const auto& instance) { return name_of(instance.param); });

}  // namespace
}  // namespace tacit::testing
