#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "policy/against_catalog/apply_declared_decimals.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/print_expression.hpp"
#include "support/plain_duckdb.hpp"
#include "support/policy_head.hpp"
#include "support/postgres_server.hpp"
#include "verify/list_facts.hpp"
#include "verify/verify_statements.hpp"

namespace tacit {

// A writable database of either kind and a catalog written by hand, for tests that look at the statements themselves.
class BothEngines : public ::testing::TestWithParam<const Dialect*> {
 protected:
  BothEngines() {
    if (is_postgres()) database_ = testing::PostgresServer::shared().create_database();
    schema = is_postgres() ? "public" : "main";
    catalog.search_path = {schema};
  }

  bool is_postgres() const { return GetParam() == &postgres_dialect(); }

  void run(const std::string& sql) {
    if (is_postgres())
      testing::PostgresServer::shared().run(database_, {sql});
    else
      duckdb_.run(sql);
  }

  std::vector<std::vector<std::string>> rows(const std::string& sql) {
    if (!is_postgres()) return duckdb_.rows(sql);
    std::vector<std::vector<std::string>> table;
    for (const auto& row : testing::PostgresServer::shared().rows(database_, sql)) {
      auto& cells = table.emplace_back();
      for (const auto& cell : row) cells.push_back(cell.value_or("NULL"));
    }
    return table;
  }

  // Adds the table to the catalog and creates it: "name type" a column.
  CatalogTable& create(const std::string& name, const std::vector<std::pair<std::string, SqlType>>& columns) {
    CatalogTable table{schema, name, {}, {}};
    std::string list;
    for (const auto& [column, type] : columns) {
      const std::string word = GetParam()->type_name(type);
      list += fmt::format("{}\"{}\" {}", list.empty() ? "" : ", ", column, word);
      table.columns.push_back({column, type, word, false});
    }
    run(fmt::format("CREATE TABLE \"{}\"({})", name, list));
    catalog.tables.push_back(std::move(table));
    return catalog.tables.back();
  }

  void read(const std::string& tables) {
    auto parsed = parse_policy(testing::policy_head() + tables, "p.toml");
    ASSERT_TRUE(parsed) << to_line(parsed.error());
    apply_declared_decimals(catalog, *parsed);
    parsed = check_against_catalog(std::move(*parsed), catalog);
    ASSERT_TRUE(parsed) << to_line(parsed.error());
    policy = std::move(*parsed);
    facts = list_facts(policy, catalog);
    statements = verify_statements(policy, catalog, facts, *GetParam());
  }

  // Of every measure that is not zero: "primary_key (id): 2 keys, 5 rows", "visit: 100 rows".
  std::map<std::string, std::pair<long, long>> counts() {
    std::map<std::string, std::pair<long, long>> result;
    for (const auto& statement : statements) {
      for (const auto& row : rows(statement.query.sql)) {
        const Measure& measure = statement.measures.at(std::stoul(row.at(0)));
        const std::pair<long, long> numbers{std::stol(row.at(1)), std::stol(row.at(2))};
        if (numbers == std::pair(0L, 0L)) continue;
        result[name_of(measure)] = numbers;
      }
    }
    return result;
  }

  std::string name_of(const Measure& measure) const {
    if (measure.what == Measure::What::table_rows) return policy.tables.at(measure.of).name.name;
    return facts.at(measure.of).label + (measure.what == Measure::What::nulls ? " NULL" : "");
  }

  std::string schema;
  Catalog catalog;
  Policy policy;
  std::vector<Fact> facts;
  std::vector<VerifyStatement> statements;

 private:
  testing::PlainDuckDb duckdb_;
  std::string database_;
};

}  // namespace tacit
