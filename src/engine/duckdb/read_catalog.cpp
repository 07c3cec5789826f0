#include "engine/duckdb/read_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/value.hpp"
#include "engine/duckdb/column_type.hpp"
#include "engine/duckdb/engine_trouble.hpp"
#include "engine/duckdb/read_rows.hpp"
#include "engine/sql_text.hpp"

namespace tacit::duckdb_engine {
namespace {

// `source` tables live in the schema temp.main, which DuckDB looks through before the database's own main.
constexpr const char* ours = "database_name IN (current_database(), 'temp')";

Result<std::vector<std::vector<Value>>> select_values(Connection& connection, const std::string& sql,
                                                      const std::vector<SqlType>& types) {
  auto outcome = connection.select(sql);
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

// One row of booleans, one a text column: whether its equality identifies different strings. Every collation of DuckDB
// ignores case, or accents, or the spelling of a composed letter.
std::string collation_probe(const CatalogTable& table) {
  std::string probes;
  for (const CatalogColumn& column : table.columns) {
    if (column.type != SqlType::text()) continue;
    const std::string none = fmt::format("(SELECT {} FROM {}.{} LIMIT 0)", quote_name(column.name),
                                         quote_name(table.schema), quote_name(table.name));
    probes += fmt::format(
        ", coalesce({0}, 'a') = 'A' OR coalesce({0}, 'a') = '\u00e1' OR "
        "coalesce({0}, '\u00e9') = 'e\u0301'",
        none);
  }
  return fmt::format("SELECT (SELECT count(*) FROM (SELECT * FROM {}.{} LIMIT 0)) = 0{}", quote_name(table.schema),
                     quote_name(table.name), probes);
}

bool is_about_this_table_alone(Trouble trouble) {
  return trouble == Trouble::access_forbidden || trouble == Trouble::no_such_name || trouble == Trouble::unreadable ||
         trouble == Trouble::other;
}

// False: the table cannot be read at all.
Result<bool> check_collations(Connection& connection, CatalogTable& table) {
  std::vector<CatalogColumn*> texts;
  for (CatalogColumn& column : table.columns) {
    if (column.type == SqlType::text()) texts.push_back(&column);
  }
  auto outcome = connection.select(collation_probe(table));
  if (!outcome) {
    if (is_about_this_table_alone(classify(outcome.error().text))) return false;
    return fail(connection.explain(outcome.error()));
  }
  const auto rows = read_values(*outcome, std::vector<SqlType>(texts.size() + 1, SqlType::boolean()));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!std::get<bool>(rows.at(0).at(i + 1))) continue;
    texts[i]->type.reset();
    texts[i]->engine_type += " with a collation";
  }
  return true;
}

// A macro stored in the database answers before the built-in function of its name: the SQL we print would mean
// something else.
Status refuse_shadowed_functions(Connection& connection) {
  TACIT_TRY(const auto rows,
            select_values(connection,
                          "SELECT function_name FROM duckdb_functions() WHERE NOT internal AND function_name IN "
                          "(SELECT function_name FROM duckdb_functions() WHERE internal) LIMIT 1",
                          {SqlType::text()}));
  if (rows.empty()) return {};
  return fail({FailureCode::engine,
               fmt::format("the database has a macro of its own named `{}`, like a built-in function",
                           std::get<std::string>(rows[0][0])),
               "", "rename or drop the macro: it would change what queries compute"});
}

}  // namespace

Result<Catalog> read_catalog(Connection& connection) {
  TACIT_TRY_STATUS(refuse_shadowed_functions(connection));
  Tables tables;
  TACIT_TRY_STATUS(read_columns(connection, tables));
  TACIT_TRY_STATUS(read_keys(connection, tables));
  Catalog catalog;
  catalog.search_path = {default_schema};
  for (auto& [name, table] : tables) {
    TACIT_TRY(const bool is_readable, check_collations(connection, table));
    if (is_readable) catalog.tables.push_back(std::move(table));
  }
  return catalog;
}

bool is_stored_table(Connection& connection, const TableName& table) {
  const auto rows = select_values(
      connection,
      fmt::format("SELECT count(*) FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = {} "
                  "AND table_name = {} AND sql NOT LIKE '%GENERATED ALWAYS AS%'",
                  quote_text(table.schema), quote_text(table.name)),
      {SqlType::integer()});
  return rows && std::get<Decimal>(rows->at(0).at(0)) == Decimal{1, 0};
}

}  // namespace tacit::duckdb_engine
