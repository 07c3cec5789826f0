// The rows model's central claim, on the real engines: for random queries and random neighbouring databases, the cells
// of the private statement move by at most the proved l1 sensitivity over all groups together, and no statement ever
// fails.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

#include "mechanism/rows/choose_rows.hpp"
#include "rewrite/private_statement.hpp"
#include "sql/dialects/dialects.hpp"
#include "support/rows_world.hpp"
#include "totality/engine.hpp"

namespace tacit::testing {
namespace {

// SQL texts over the schema of rows_world.hpp: what an analyst might write, and what a hostile one would.
class QueryWriter {
 public:
  explicit QueryWriter(std::mt19937_64& random) : random_(random) {}

  std::string query() {
    joined_ = below(3) == 0 ? 2 : below(2);
    std::string from = "visit v";
    if (joined_ >= 1)
      from += pick({" JOIN ward w ON v.ward = w.name", " LEFT JOIN ward w ON w.name = v.ward AND w.beds > 3"});
    if (joined_ == 2) from += " JOIN building b ON b.id = w.building";
    if (below(4) == 0) {
      joined_ = 0;
      from =
          "(SELECT ward, age + 1 AS age, cost, delta, score, admitted, emergency, wild, wild_real FROM visit WHERE " +
          predicate(1) + ") AS v";
    }
    const std::string key = below(3) == 0 ? "" : this->key();
    const std::string second = key.empty() || below(2) == 0 ? "" : this->key();
    std::string select = key + (second.empty() ? "" : ", " + second);
    const int aggregates = 1 + below(3);
    for (int i = 0; i < aggregates; ++i) select += (select.empty() ? "" : ", ") + aggregate();
    std::string sql = "SELECT " + select + " FROM " + from;
    if (below(2) == 0) sql += " WHERE " + predicate(2);
    if (!key.empty()) sql += " GROUP BY " + key + (second.empty() ? "" : ", " + second);
    return sql;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string pick(std::initializer_list<const char*> options) {
    return options.begin()[below(static_cast<int>(options.size()))];
  }

  std::string key() {
    if (joined_ >= 1 && below(2) == 0)
      return joined_ == 2 && below(2) == 0 ? "b.city" : pick({"w.building", "w.name", "w.beds"});
    return pick({"v.ward", "v.emergency", "v.age / 30", "CASE WHEN v.age < 18 THEN 'child' ELSE 'adult' END",
                 "v.cost > 100", "EXTRACT(month FROM v.admitted)", "date_trunc('quarter', v.admitted)", "v.delta"});
  }

  std::string aggregate() {
    switch (below(7)) {
      case 0: return "COUNT(*)";
      case 1: return "COUNT(" + pick({"v.age", "v.wild", "v.score", "v.wild_real", "v.ward"}) + ")";
      case 2: return "COUNT(DISTINCT " + pick({"v.ward", "v.wild", "v.age / 10", "v.score", "v.admitted"}) + ")";
      case 3: return "AVG(" + number(2) + ")";
      case 4: return "ANON_SUM(" + pick({"v.wild", "v.wild_real", "v.wild * 3"}) + ", -5, 17)";
      default: return "SUM(" + number(2) + ")";
    }
  }

  std::string number(int depth) {
    if (depth == 0 || below(3) == 0) {
      return pick({"v.age", "v.cost", "v.delta", "v.score", "3", "-2.5", "LEAST(GREATEST(v.wild, -9), 9)",
                   "EXTRACT(day FROM v.admitted)"});
    }
    const std::string a = number(depth - 1);
    const std::string b = number(depth - 1);
    switch (below(8)) {
      case 0: return "(" + a + " + " + b + ")";
      case 1: return "(" + a + " - " + b + ")";
      case 2: return "(" + a + " * " + b + ")";
      case 3: return "(" + a + " / NULLIF(v.delta, 2))";
      case 4: return "abs(" + a + ")";
      case 5: return "CASE WHEN " + predicate(1) + " THEN " + a + " ELSE " + b + " END";
      case 6: return "COALESCE(" + a + ", " + b + ")";
      default: return "round(" + a + ")";
    }
  }

  std::string predicate(int depth) {
    if (depth == 0 || below(2) == 0) {
      return pick({"v.age > 40", "v.ward IN ('icu', 'er')", "v.ward LIKE '%r%'", "v.emergency", "v.wild / v.delta > 1",
                   "ln(v.wild_real) < 2", "sqrt(v.wild_real) >= 1", "v.admitted + v.delta > DATE '2020-06-01'",
                   "v.cost BETWEEN 5 AND 80.5", "v.score IS NULL", "power(v.wild_real, 3) > v.age",
                   "CAST(v.wild_real AS integer) = 4", "v.wild % v.age = 1", "v.wild * v.wild > 4",
                   "exp(v.wild_real) > 3"});
    }
    return "(" + predicate(depth - 1) + pick({" AND ", " OR ", " AND NOT "}) + predicate(depth - 1) + ")";
  }

  std::mt19937_64& random_;
  int joined_ = 0;
};

// Rows with the values that break careless systems: extremes of every type, NaN, infinities, out-of-bounds, NULL.
class RowWriter {
 public:
  explicit RowWriter(std::mt19937_64& random) : random_(random) {}

  std::string row(int id) {
    return fmt::format("({}, {}, {}, {}, {}, {}, {}, {}, {}, {})", id,
                       pick({"'icu'", "'er'", "'surgery'", "'elsewhere'", "NULL", "''"}),
                       pick({"0", "17", "44", "89", "120", "121", "-5", "2147483647", "-2147483648", "NULL"}),
                       pick({"0", "9.99", "99999999.99", "-99999999.99", "55.50", "9999.99", "NULL"}),
                       pick({"-7", "3", "0", "1", "2147483647", "-2147483648", "NULL"}),
                       pick({"-1.5", "2.25", "0", "CAST('NaN' AS DOUBLE PRECISION)", "CAST('inf' AS DOUBLE PRECISION)",
                             "CAST('-inf' AS DOUBLE PRECISION)", "1e308", "4.9e-324", "NULL", "0.3"}),
                       pick({"DATE '2020-01-01'", "DATE '2020-12-31'", "DATE '2020-05-17'", "DATE '1969-07-20'",
                             "CAST('infinity' AS DATE)", "NULL", "DATE '5000-01-01'"}),
                       pick({"TRUE", "FALSE", "NULL"}),
                       pick({"9223372036854775807", "-9223372036854775808", "0", "1", "-1", "17", "NULL", "40"}),
                       pick({"1e308", "-1e308", "CAST('NaN' AS DOUBLE PRECISION)", "CAST('inf' AS DOUBLE PRECISION)",
                             "CAST('-inf' AS DOUBLE PRECISION)", "0", "-0.0", "4.4", "NULL", "5e-324"}));
  }

 private:
  const char* pick(std::initializer_list<const char*> options) { return options.begin()[random_() % options.size()]; }
  std::mt19937_64& random_;
};

using Cells = std::map<std::vector<std::string>, std::vector<Int128>>;

class RowsSoundness : public ::testing::TestWithParam<std::tuple<const Dialect*, const char*, int>> {
 protected:
  void create_tables() {
    run("CREATE SCHEMA IF NOT EXISTS main");
    run("CREATE TABLE main.visit (id BIGINT, ward VARCHAR, age INTEGER, cost DECIMAL(10,2), delta INTEGER, "
        "score DOUBLE PRECISION, admitted DATE, emergency BOOLEAN, wild BIGINT, wild_real DOUBLE PRECISION)");
    run("CREATE TABLE main.ward (name VARCHAR PRIMARY KEY, building INTEGER, beds INTEGER)");
    run("CREATE TABLE main.building (id INTEGER PRIMARY KEY, city VARCHAR)");
    run("INSERT INTO main.building VALUES (1, 'north'), (2, 'south'), (3, NULL)");
    run("INSERT INTO main.ward VALUES ('icu', 1, 4), ('er', 2, 20), ('surgery', NULL, NULL), ('closed', 3, 0)");
  }

  void run(const std::string& sql) { EXPECT_EQ(engine_->ask(sql).error, "") << sql; }

  // The statement's cells as integers in grid units, by group.
  Cells cells(const EngineQuery& query) {
    Cells result;
    const auto answer = engine_->ask(query.sql);
    EXPECT_EQ(answer.error, "") << query.sql;
    for (const auto& row : answer.cells) {
      std::vector<std::string> key;
      for (std::size_t i = 0; i < query.keys.size(); ++i) key.push_back(row[i].value_or("NULL"));
      auto& values = result[key];
      for (std::size_t i = 0; i < query.cell_scales.size(); ++i) {
        const auto number = parse_decimal(row[query.keys.size() + i].value_or(""));
        const auto exact = number ? rescale(*number, query.cell_scales[i]) : std::nullopt;
        EXPECT_TRUE(exact.has_value()) << row[query.keys.size() + i].value_or("NULL") << "\n" << query.sql;
        values.push_back(exact ? exact->units : 0);
      }
    }
    return result;
  }

  void expect_within(const MechanismPlan& plan, const Cells& one, const Cells& other, const std::string& sql) {
    Cells all = one;
    all.insert(other.begin(), other.end());
    for (const auto& aggregate : plan_of<RowsPlan>(plan).aggregates) {
      Int128 moved = 0;
      for (const auto& [key, ignored] : all) {
        for (std::size_t c = aggregate.first_cell; c < aggregate.first_cell + aggregate.cells; ++c) {
          const Int128 difference =
              (one.contains(key) ? one.at(key)[c] : 0) - (other.contains(key) ? other.at(key)[c] : 0);
          moved += difference < 0 ? -difference : difference;
        }
      }
      EXPECT_LE(to_string(moved).size(), 36U);
      EXPECT_TRUE(moved <= aggregate.sensitivity_units)
          << "moved " << to_string(moved) << " > " << to_string(aggregate.sensitivity_units) << "\n"
          << sql;
    }
  }

  std::unique_ptr<totality::Engine> engine_ = totality::new_engine(*std::get<0>(GetParam()));
};

TEST_P(RowsSoundness, CellsMoveByAtMostTheSensitivity) {
  const auto [dialect, neighbour, seed] = GetParam();
  std::mt19937_64 random(static_cast<unsigned>(seed));
  create_tables();
  const Catalog catalog = rows_catalog();
  const Policy policy = rows_policy(neighbour, catalog);
  QueryWriter queries(random);
  RowWriter rows(random);
  int answered = 0;
  for (int round = 0; round < 60; ++round) {
    run("DELETE FROM main.visit");
    const int size = static_cast<int>(random() % 12);
    std::string values = rows.row(1);
    for (int i = 2; i <= size + 1; ++i) values += ", " + rows.row(i);
    run("INSERT INTO main.visit VALUES " + values);

    for (int q = 0; q < 3; ++q) {
      const std::string sql = queries.query();
      auto analyzed = analyze_text(sql, catalog, policy);
      if (!analyzed) {
        EXPECT_EQ(analyzed.error().code, FailureCode::refused) << to_line(analyzed.error()) << "\n" << sql;
        continue;
      }
      ++answered;
      const MechanismPlan plan = choose_rows_mechanism(std::move(*analyzed), Epsilon(1.0));
      const EngineQuery statement = private_statement(plan, *dialect);
      const Cells before = cells(statement);
      run("BEGIN");
      run("DELETE FROM main.visit WHERE id = 1");
      if (std::string(neighbour) == "replace") run("INSERT INTO main.visit VALUES " + rows.row(1));
      const Cells after = cells(statement);
      run("ROLLBACK");
      expect_within(plan, before, after, sql + "\n" + statement.sql);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(answered, 60) << "the generator writes queries that are refused";
}

constexpr const char* neighbours[] = {"add-remove", "replace"};
INSTANTIATE_TEST_SUITE_P(DuckDb, RowsSoundness,
                         ::testing::Combine(::testing::Values(&duckdb_dialect()), ::testing::ValuesIn(neighbours),
                                            ::testing::Range(0, 12)));
INSTANTIATE_TEST_SUITE_P(Postgres, RowsSoundness,
                         ::testing::Combine(::testing::Values(&postgres_dialect()), ::testing::ValuesIn(neighbours),
                                            ::testing::Range(12, 16)));

}  // namespace
}  // namespace tacit::testing
