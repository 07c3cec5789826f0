// One meaning on every engine: the statements printed for DuckDB and for PostgreSQL from the same typed query give the
// same exact rows over the same data, whatever is stored.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "differential/query_writer.hpp"
#include "differential/world.hpp"
#include "mechanism/rows/choose_rows.hpp"
#include "rewrite/private_statement.hpp"
#include "rewrite/public_statements.hpp"
#include "sensitivity/analyze.hpp"
#include "sql/bind.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/parse.hpp"
#include "support/environment.hpp"
#include "totality/engine.hpp"

namespace tacit::differential {
namespace {

using totality::Engine;
using Cell = std::optional<std::string>;

// A key as Tacit reads it, spelt one way. What lies outside its calendar is no key.
std::string as_key(const Cell& cell, const SqlType& type) {
  if (!cell) return "NULL";
  switch (type.kind) {
    case TypeKind::boolean: return cell->front() == 't' ? "true" : "false";
    case TypeKind::integer:
    case TypeKind::decimal: {
      const auto number = parse_decimal(*cell);
      const auto value = number ? rescale(*number, type.kind == TypeKind::decimal ? type.scale : 0) : std::nullopt;
      return value ? to_string(*value) : "not a number: " + *cell;
    }
    case TypeKind::real: {
      const double value = std::strtod(cell->c_str(), nullptr);
      return value == 0.0 ? "0" : fmt::format("{:a}", value);
    }
    case TypeKind::date: {
      const auto date = parse_date(*cell);
      return date ? to_string(*date) : "NULL";
    }
    case TypeKind::timestamp: {
      const auto moment = parse_timestamp(*cell);
      return moment ? to_string(*moment) : "NULL";
    }
    default: return "'" + *cell + "'";
  }
}

using Rows = std::map<std::vector<std::string>, std::vector<std::string>>;

// Keys, then cells in units of their grid. Groups that Tacit reads as one are added up as it does.
Rows rows_of(Engine& engine, const EngineQuery& query) {
  const auto answer = engine.ask(query.sql);
  Rows rows;
  EXPECT_EQ(answer.error, "") << query.sql;
  for (const auto& row : answer.cells) {
    std::vector<std::string> key;
    for (std::size_t i = 0; i < query.keys.size(); ++i) key.push_back(as_key(row[i], query.keys[i]));
    std::vector<std::string>& cells = rows[key];
    cells.resize(query.cell_scales.size(), "0");
    for (std::size_t i = 0; i < query.cell_scales.size(); ++i) {
      const Cell& cell = row[query.keys.size() + i];
      const auto number = cell ? parse_decimal(*cell) : std::nullopt;
      const auto value = number ? rescale(*number, query.cell_scales[i]) : std::nullopt;
      EXPECT_TRUE(value.has_value()) << cell.value_or("NULL") << " at scale " << query.cell_scales[i] << "\n"
                                     << query.sql;
      if (value) cells[i] = to_string(*parse_int128(cells[i]) + value->units);
    }
  }
  return rows;
}

std::vector<std::vector<std::string>> rows_of(Engine& engine, const PublicQuery& query) {
  const auto answer = engine.ask(query.sql);
  EXPECT_EQ(answer.error, "") << query.sql;
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : answer.cells) {
    auto& key = rows.emplace_back();
    for (std::size_t i = 0; i < query.columns.size(); ++i) key.push_back(as_key(row[i], query.columns[i]));
  }
  return rows;
}

std::string described(const Rows& rows) {
  std::string text;
  for (const auto& [key, cells] : rows) {
    text += fmt::format("({}) -> ({})\n", fmt::join(key, ", "), fmt::join(cells, ", "));
  }
  return text;
}

class Differential : public ::testing::Test {
 protected:
  Differential() { run(create_tables()); }

  void run(const std::vector<std::string>& statements) {
    for (Engine* engine : {duckdb_.get(), postgres_.get()}) {
      for (const std::string& sql : statements) ASSERT_EQ(engine->ask(sql).error, "") << sql;
    }
  }

  void expect_same(const MechanismPlan& plan, const std::string& text) {
    const EngineQuery one = private_statement(plan, duckdb_dialect());
    const EngineQuery other = private_statement(plan, postgres_dialect());
    ASSERT_EQ(one.cell_scales, other.cell_scales);
    const Rows left = rows_of(*duckdb_, one);
    const Rows right = rows_of(*postgres_, other);
    ASSERT_TRUE(left == right) << text << "\n\n-- DuckDB\n"
                               << one.sql << "\n"
                               << described(left) << "\n-- PostgreSQL\n"
                               << other.sql << "\n"
                               << described(right);
    count(left);
    for (const KeyDomain& domain : plan.analyzed.domains) {
      if (const auto* keys = std::get_if<PublicKeys>(&domain)) {
        expect_same(domain_statement(*keys, duckdb_dialect()), domain_statement(*keys, postgres_dialect()));
      }
    }
    for (const AssumedKey& key : plan.analyzed.assumed_keys) {
      expect_same(key_check_statement(key, duckdb_dialect()), key_check_statement(key, postgres_dialect()));
    }
  }

  void count(const Rows& rows) {
    for (const auto& [key, cells] : rows) {
      ++groups_;
      cells_ +=
          static_cast<int>(std::count_if(cells.begin(), cells.end(), [](const auto& cell) { return cell != "0"; }));
    }
  }

  void expect_same(const PublicQuery& one, const PublicQuery& other) {
    ASSERT_EQ(rows_of(*duckdb_, one), rows_of(*postgres_, other)) << one.sql << "\n" << other.sql;
    ++public_statements_;
  }

  std::unique_ptr<Engine> duckdb_ = totality::new_engine(duckdb_dialect());
  std::unique_ptr<Engine> postgres_ = totality::new_engine(postgres_dialect());
  // What was compared, so that the test cannot pass by comparing nothing.
  int public_statements_ = 0;
  int groups_ = 0;
  int cells_ = 0;
};

TEST_F(Differential, RandomQueriesHaveTheSameExactRowsOnBothEngines) {
  std::mt19937_64 random(static_cast<unsigned>(testing::number_from_environment("TACIT_DIFFERENTIAL_SEED", 20261115)));
  const int wanted = testing::count_from_environment("TACIT_DIFFERENTIAL_COUNT", 2000);
  QueryWriter queries(random);
  RowWriter rows(random);
  int answered = 0;
  for (int asked = 0; answered < wanted; ++asked) {
    ASSERT_LT(asked, 20 * wanted) << "the generator writes queries that are refused";
    if (asked % 100 == 0) run(rows.fill(1 + static_cast<int>(random() % 120)));
    const Catalog catalog = world_catalog(asked % 2 == 0);
    const Policy policy = world_policy(catalog);
    const std::string text = queries.query();
    const auto tree = parse_sql(text);
    ASSERT_TRUE(tree.has_value()) << to_line(tree.error()) << "\n" << text;
    auto query = bind_query(*tree, catalog, policy);
    auto analyzed = query ? analyze(std::move(*query), policy) : Result<AnalyzedQuery>(fail(query.error()));
    if (!analyzed) {
      ASSERT_EQ(analyzed.error().code, FailureCode::refused) << to_line(analyzed.error()) << "\n" << text;
      continue;
    }
    if (!std::holds_alternative<RowsAnalysis>(analyzed->model)) continue;  // its statements have a harness of their own
    ++answered;
    expect_same(choose_rows_mechanism(std::move(*analyzed), Epsilon(1.0)), text);
    if (HasFailure()) return;
  }
  EXPECT_GT(public_statements_, wanted / 20);
  EXPECT_GT(groups_, 3 * wanted) << "most answers have rows";
  EXPECT_GT(cells_, wanted) << "many cells are not zero";
}

}  // namespace
}  // namespace tacit::differential
