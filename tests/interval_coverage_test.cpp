// What is called a 95% interval holds the exact answer to the SQL as asked: in every model, on both engines, over
// worlds with few and with many rows of a person, with empty groups and with groups that are chosen privately. Every
// question is asked `rounds` times; the share of its intervals that hold the truth must be at least 94%, less four and
// a half deviations of that share. The intervals of one answer are not independent, so the deviation is that of the
// rounds alone: a false alarm once in more than 1e5 runs of all questions together.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "answer_query.hpp"
#include "support/policy_head.hpp"
#include "support/required.hpp"
#include "support/test_database.hpp"

namespace tacit::testing {
namespace {

constexpr int rounds = 150;

enum class Says { answer, noise };  // what the interval must be about

struct Case {
  const char* sql;
  Says says;
};

constexpr Case questions[] = {
    // Rows.
    {"SELECT COUNT(*) FROM item", Says::answer},
    {"SELECT colour, COUNT(*), SUM(weight), AVG(weight) FROM item GROUP BY colour", Says::answer},
    // ... by the releases of the users model, where a row is a person.
    {"SELECT colour, COUNT(*), SUM(weight), MAX(weight) FROM item GROUP BY colour", Says::answer},
    {"SELECT MEDIAN(weight), MIN(weight), COUNT(DISTINCT weight) FROM item", Says::answer},
    {"SELECT weight, COUNT(*) FROM lot GROUP BY weight", Says::answer},
    {"SELECT COUNT(*), MAX(weight) FROM swap", Says::answer},
    {"SELECT SUM(weight) FROM lot", Says::noise},
    // Rows chosen by a noisy value.
    {"SELECT colour, COUNT(*) AS n FROM item GROUP BY colour ORDER BY n DESC LIMIT 1", Says::noise},
    {"SELECT colour, COUNT(*) AS n FROM item GROUP BY colour ORDER BY colour LIMIT 2", Says::answer},
    // Metric.
    {"SELECT SUM(speed) FROM ship", Says::answer},
    {"SELECT flag, SUM(speed), AVG(speed) FROM ship GROUP BY flag", Says::answer},
    // Users: one row each.
    {"SELECT COUNT(*) FROM person", Says::answer},
    {"SELECT kind, COUNT(*), AVG(age), SUM(age) FROM person GROUP BY kind", Says::answer},
    {"SELECT age, COUNT(*) FROM person GROUP BY age", Says::answer},
    {"SELECT MEDIAN(age) FROM person", Says::answer},
    {"SELECT MAX(age), MIN(age) FROM person", Says::answer},
    // Several groups, one row in each.
    {"SELECT month, COUNT(DISTINCT person) FROM visit GROUP BY month", Says::answer},
    {"SELECT month, COUNT(*), SUM(grade) FROM exam WHERE month IN (1, 2, 3, 4, 5, 6) GROUP BY month", Says::answer},
    // ... with a delta for which lengths are tried in place of sums.
    {"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(delta = 0.005) month, COUNT(DISTINCT person) FROM visit GROUP BY month",
     Says::answer},
    // ... but the first of them may hold nothing.
    {"SELECT month, SUM(extra) FROM exam WHERE month IN (1, 2, 3, 4, 5, 6) GROUP BY month", Says::noise},
    // Any number of rows.
    {"SELECT COUNT(*) FROM visit", Says::noise},
    {"SELECT month, SUM(cost) FROM visit GROUP BY month", Says::noise},
    {"SELECT month, AVG(cost) FROM visit GROUP BY month", Says::noise},
    // Rows of nobody.
    {"SELECT COUNT(DISTINCT person) FROM stray", Says::noise},
};

const std::string policy =
    budget_section({.epsilon = 9e9, .delta = 0.9, .defaults = "epsilon = 1.0\ndelta = 1e-6"}) + R"toml(
[tables.item]
rows = "add-remove"
[tables.item.columns]
colour = { values = ["red", "blue", "none"] }
weight = { min = 0, max = 50 }
[tables.lot]
rows = "add-remove"
[tables.swap]
rows = "replace"
[tables.swap.columns]
weight = { min = 0, max = 50 }
[tables.ship]
metric = "l1(speed)"
public_columns = ["id", "flag"]
[tables.ship.columns]
speed = { min = 0, max = 60 }
[tables.person]
owner = "id"
primary_key = ["id"]
[tables.person.columns]
kind = { values = ["a", "b", "empty"] }
age = { min = 0, max = 100 }
[tables.visit]
owner = "person"
[tables.visit.columns]
month = { min = 1, max = 6 }
cost = { min = 0, max = 900 }
[tables.exam]
owner = "person"
primary_key = ["person", "month"]
[tables.exam.columns]
grade = { min = 0, max = 20 }
extra = { min = 0, max = 20 }
[tables.stray]
owner = "person"
)toml";

class IntervalCoverage : public ::testing::TestWithParam<EngineKind> {
 protected:
  void SetUp() override {
    database_ = std::make_unique<TestDatabase>(GetParam());
    database_->run({
        "CREATE TABLE item (colour VARCHAR NOT NULL, weight INTEGER NOT NULL)",
        "INSERT INTO item SELECT CASE i % 3 WHEN 0 THEN 'red' ELSE 'blue' END, i % 51 FROM generate_series(1, 700) AS "
        "t(i)",
        "CREATE TABLE lot (weight INTEGER NOT NULL)",
        "INSERT INTO lot SELECT i % 7 FROM generate_series(1, 700) AS t(i)",
        "CREATE TABLE swap (weight INTEGER NOT NULL)",
        "INSERT INTO swap SELECT i % 51 FROM generate_series(1, 700) AS t(i)",
        "CREATE TABLE ship (id INTEGER PRIMARY KEY, flag VARCHAR NOT NULL, speed INTEGER NOT NULL)",
        "INSERT INTO ship SELECT i, CASE i % 2 WHEN 0 THEN 'x' ELSE 'y' END, i % 61 FROM generate_series(1, 300) AS "
        "t(i)",
        "CREATE TABLE person (id INTEGER PRIMARY KEY, kind VARCHAR NOT NULL, age INTEGER NOT NULL)",
        "INSERT INTO person SELECT i, CASE WHEN i % 4 = 0 THEN 'a' ELSE 'b' END, CASE WHEN i < 300 THEN i % 3 ELSE i % "
        "30 "
        "END FROM generate_series(1, 900) AS t(i)",
        "CREATE TABLE visit (person INTEGER NOT NULL, month INTEGER NOT NULL, cost INTEGER NOT NULL)",
        "INSERT INTO visit SELECT p, 1 + (p * v) % 6, (p * 7 + v) % 800 FROM generate_series(1, 900) AS a(p), "
        "generate_series(1, 60) AS b(v) WHERE v <= 1 + 60 / (p % 40 + 1)",
        "CREATE TABLE exam (person INTEGER NOT NULL, month INTEGER NOT NULL, grade INTEGER NOT NULL, extra INTEGER, "
        "PRIMARY KEY (person, month))",
        "INSERT INTO exam SELECT p, m, (p + m) % 21, CASE WHEN m > 1 THEN 1 END FROM generate_series(1, 900) AS a(p), "
        "generate_series(1, 6) AS "
        "b(m) "
        "WHERE m <= 1 + 6 / (p % 9 + 1)",
        "CREATE TABLE stray (person INTEGER)",
        "INSERT INTO stray SELECT CASE WHEN i % 3 = 0 THEN NULL ELSE i END FROM generate_series(1, 200) AS t(i)",
    });
    auto opened = open_policy(database_->write_policy(policy));
    ASSERT_TRUE(opened.has_value()) << to_line(opened.error());
    opened_.emplace(std::move(*opened));
  }

  Answer ask(const std::string& sql) {
    return std::get<Answer>(testing::required(answer_query(*opened_, {sql, {}, {}, {}}), sql));
  }

  static double number(const Value& value) {
    if (const auto* decimal = std::get_if<Decimal>(&value)) return to_double(*decimal);
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? *real : std::nan("");
  }

  // The numbers of each group, by the text of its key.
  std::map<std::string, std::vector<double>> truth(std::string sql, const NoisyRows& like) {
    if (GetParam() == EngineKind::postgres) sql.insert(sql.find("FROM ") + 5, "public.");
    const auto options = sql.find("WITH DIFFERENTIAL_PRIVACY");
    if (options != std::string::npos) sql.erase(options, sql.find(") ", options) + 2 - options);
    std::string select;
    std::string names;
    std::vector<SqlType> types;
    for (std::size_t i = 0; i < like.columns.size(); ++i) {
      const bool key = like.columns[i].output.kind == OutputColumn::Kind::key;
      types.push_back(key ? SqlType::text() : SqlType::real());
      const char* separator = i == 0 ? "" : ", ";
      select += fmt::format("{}CAST(c{} AS {})", separator, i, key ? "VARCHAR" : "DOUBLE PRECISION");
      names += fmt::format("{}c{}", separator, i);
    }
    const auto median = sql.find("MEDIAN(");
    if (median != std::string::npos) {
      const auto end = sql.find(')', median);
      const std::string of = sql.substr(median + 7, end - median - 7);
      sql.replace(median, end + 1 - median, fmt::format("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {})", of));
    }
    const auto rows = testing::required(
        opened_->engine->read_for_owner({fmt::format("SELECT {} FROM ({}) AS t({})", select, sql, names), types}), sql);
    std::map<std::string, std::vector<double>> groups;
    for (const auto& row : rows) {
      auto& numbers = groups[key_of(row, like)];
      for (const Value& value : row) numbers.push_back(number(value));
    }
    return groups;
  }
  template <class Row>
  static std::string key_of(const Row& row, const NoisyRows& like) {
    std::string key;
    for (std::size_t i = 0; i < like.columns.size(); ++i) {
      if (like.columns[i].output.kind != OutputColumn::Kind::key) continue;
      if constexpr (std::is_same_v<typename Row::value_type, NoisyCell>)
        key += to_string(row[i].value) + "|";
      else
        key += to_string(row[i]) + "|";
    }
    return key;
  }

  std::unique_ptr<TestDatabase> database_;
  std::optional<Connection> opened_;
};

INSTANTIATE_TEST_SUITE_P(Engines, IntervalCoverage, ::testing::ValuesIn(every_engine),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(IntervalCoverage, HoldsTheAnswerToTheSqlAsAsked) {
  const double least = 0.94 - 4.5 * std::sqrt(0.94 * 0.06 / rounds);
  for (const Case& question : questions) {
    std::map<std::string, std::vector<double>> exact;
    std::map<std::size_t, std::pair<int, int>> held;  // by column: how many of how many
    for (int round = 0; round < rounds; ++round) {
      const Answer answer = ask(question.sql);
      const NoisyRows& rows = answer.rows;
      if (exact.empty()) exact = truth(question.sql, rows);
      for (std::size_t i = 0; i < rows.columns.size(); ++i) {
        if (rows.columns[i].mechanism.empty()) continue;
        ASSERT_EQ(rows.columns[i].left_out.empty(), question.says == Says::answer)
            << question.sql << ": " << rows.columns[i].left_out;
      }
      if (question.says == Says::noise) break;
      for (const auto& row : rows.rows) {
        const auto found = exact.find(key_of(row, rows));
        for (std::size_t i = 0; i < row.size(); ++i) {
          if (!row[i].interval95) continue;
          // Counts and sums of a group that is not there are 0; averages and extremes of it are nothing.
          if (found == exact.end() && std::holds_alternative<double>(row[i].value)) continue;
          const double value = found == exact.end() ? 0.0 : found->second[i];
          auto& [inside, all] = held[i];
          ++all;
          const double slack = 1e-9 * (1.0 + std::fabs(value));
          inside +=
              number(row[i].interval95->first) <= value + slack && value - slack <= number(row[i].interval95->second);
        }
      }
    }
    EXPECT_EQ(held.empty(), question.says == Says::noise) << question.sql;
    for (const auto& [column, counts] : held) {
      const auto& [inside, all] = counts;
      EXPECT_GE(inside, least * all) << question.sql << ", column " << column << ": " << inside << " of " << all;
    }
  }
}

}  // namespace
}  // namespace tacit::testing
