#include "engine/duckdb/read_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/value.hpp"
#include "engine/duckdb/check_collations.hpp"
#include "engine/duckdb/column_type.hpp"
#include "engine/duckdb/read_rows.hpp"
#include "engine/sql_text.hpp"

namespace tacit::duckdb_engine {
namespace {

const std::string ours =
    fmt::format("database_name IN ('{}', '{}', '{}')", attached_database, own_database, source_database);

Result<std::vector<std::vector<Value>>> select_values(Connection& connection, const std::string& sql,
                                                      const std::vector<SqlType>& types) {
  auto outcome = connection.select_catalog(sql);
  if (!outcome) return fail(connection.explain(outcome.error()));
  return read_values(*outcome, types);
}

// By schema and name.
using Tables = std::map<std::pair<std::string, std::string>, CatalogTable>;

Status read_columns(Connection& connection, Tables& tables) {
  const SqlType text = SqlType::text();
  TACIT_TRY(const auto rows,
            select_values(connection,
                          fmt::format("SELECT schema_name, table_name, column_name, data_type, is_nullable FROM "
                                      "duckdb_columns() WHERE NOT internal AND {} ORDER BY 1, 2, column_index",
                                      ours),
                          {text, text, text, text, SqlType::boolean()}));
  for (const auto& row : rows) {
    const auto& schema = std::get<std::string>(row[0]);
    const auto& name = std::get<std::string>(row[1]);
    CatalogTable& table = tables[{schema, name}];
    table.schema = schema;
    table.name = name;
    const auto& engine_type = std::get<std::string>(row[3]);
    table.columns.push_back(
        {std::get<std::string>(row[2]), column_type(engine_type), engine_type, !std::get<bool>(row[4])});
  }
  return {};
}

// Columns of a constraint, in its order.
struct Constraint {
  CatalogTable* table = nullptr;
  std::string type;
  std::string referenced_table;
  std::vector<std::string> columns;
  std::vector<std::string> references;
};

Result<std::vector<Constraint>> read_constraints(Connection& connection, Tables& tables) {
  const SqlType text = SqlType::text();
  TACIT_TRY(const auto rows,
            select_values(connection,
                          fmt::format("SELECT schema_name, table_name, constraint_index::BIGINT, constraint_type, "
                                      "coalesce(referenced_table, ''), unnest(constraint_column_names), "
                                      "unnest(referenced_column_names), "
                                      "unnest(range(len(constraint_column_names))) AS position FROM "
                                      "duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE', "
                                      "'FOREIGN KEY') AND {} ORDER BY 1, 2, 3, position",
                                      ours),
                          {text, text, SqlType::integer(), text, text, text, text, SqlType::integer()}));
  std::vector<Constraint> constraints;
  const std::vector<Value>* previous = nullptr;
  for (const auto& row : rows) {
    const bool continues = previous != nullptr && std::equal(row.begin(), row.begin() + 3, previous->begin());
    if (!continues) {
      constraints.push_back({&tables.at({std::get<std::string>(row[0]), std::get<std::string>(row[1])}),
                             std::get<std::string>(row[3]),
                             std::get<std::string>(row[4]),
                             {},
                             {}});
    }
    constraints.back().columns.push_back(std::get<std::string>(row[5]));
    if (const auto* referenced = std::get_if<std::string>(&row[6]))
      constraints.back().references.push_back(*referenced);
    previous = &row;
  }
  return constraints;
}

bool same_but_for_case(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

// DuckDB has no foreign keys across schemas, and keeps the names of what they lead to as they were typed.
ForeignKey foreign_key(const Constraint& constraint, const Tables& tables) {
  ForeignKey key{constraint.columns, constraint.table->schema, constraint.referenced_table, constraint.references};
  for (const auto& [name, table] : tables) {
    if (name.first != key.schema || !same_but_for_case(name.second, key.table)) continue;
    key.table = table.name;
    for (std::string& reference : key.references) {
      for (const CatalogColumn& column : table.columns) {
        if (same_but_for_case(column.name, reference)) reference = column.name;
      }
    }
  }
  return key;
}

Status read_keys(Connection& connection, Tables& tables) {
  TACIT_TRY(auto constraints, read_constraints(connection, tables));
  for (Constraint& constraint : constraints) {
    CatalogTable& table = *constraint.table;
    if (constraint.type == "FOREIGN KEY") {
      table.foreign_keys.push_back(foreign_key(constraint, tables));
      continue;
    }
    if (constraint.type == "PRIMARY KEY") table.primary_key = constraint.columns;
    table.unique_keys.push_back(std::move(constraint.columns));
  }
  return {};
}

}  // namespace

Result<Catalog> read_catalog(Connection& connection) {
  Tables tables;
  TACIT_TRY_STATUS(read_columns(connection, tables));
  TACIT_TRY_STATUS(read_keys(connection, tables));
  Catalog catalog;
  catalog.search_path = {default_schema};
  for (auto& [name, table] : tables) {
    if (!is_name_of_the_engine({table.schema, table.name})) catalog.tables.push_back(std::move(table));
  }
  TACIT_TRY_STATUS(check_collations(connection, catalog.tables));
  return catalog;
}

bool is_stored_table(Connection& connection, const TableName& table) {
  const auto rows =
      select_values(connection,
                    fmt::format("SELECT count(*) FROM duckdb_tables() WHERE database_name = '{}' AND schema_name = {} "
                                "AND table_name = {} AND sql NOT LIKE '%GENERATED ALWAYS AS%'",
                                attached_database, quote_text(table.schema), quote_text(table.name)),
                    {SqlType::integer()});
  return rows && std::get<Decimal>(rows->at(0).at(0)) == Decimal{1, 0};
}

bool is_name_of_the_engine(const TableName& table) {
  if (table.schema != default_schema) return false;
  std::string name = table.name;
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name.starts_with("duckdb_") || name.starts_with("sqlite_") || name.starts_with("pragma_");
}

}  // namespace tacit::duckdb_engine
