#include "engine/postgres/snapshot.hpp"

#include <fmt/format.h>

#include "engine/sql_text.hpp"

namespace tacit::postgres_engine {
namespace {

// The path again: behind a proxy that hands out a session by the transaction, another one may serve this transaction.
constexpr const char* begin_sql =
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL search_path = pg_catalog, pg_temp; "
    "SET LOCAL standard_conforming_strings = on";

std::string spelled(const TableName& table) { return quote_name(table.schema) + "." + quote_name(table.name); }

// One of them.
Failure changed(const std::vector<TableName>& tables) {
  std::string names;
  for (const TableName& table : tables) names += (names.empty() ? "" : ", ") + to_string(table);
  return {FailureCode::engine,
          fmt::format("{}table{} `{}` has changed since the policy was checked, or is gone",
                      tables.size() == 1 ? "" : "one of the ", tables.size() == 1 ? "" : "s", names),
          "", "run the command again; a program that embeds Tacit opens the database again"};
}

std::string lock_sql(const KnownTables& known, const std::vector<TableName>& tables) {
  std::string names;
  for (const TableName& table : tables) {
    if (!known.at(table).takes_lock) continue;
    names += (names.empty() ? "" : ", ") + spelled(table);
  }
  return names.empty() ? "" : fmt::format("; LOCK TABLE {} IN ACCESS SHARE MODE", names);
}

bool is_as_known(const PGresult& answer, const KnownTable& known) {
  if (static_cast<std::size_t>(PQnfields(&answer)) != known.stored.size()) return false;
  for (std::size_t i = 0; i < known.stored.size(); ++i) {
    const int column = static_cast<int>(i);
    if (PQftable(&answer, column) != known.number) return false;
    if (PQftype(&answer, column) != known.stored[i].number) return false;
    if (PQfmod(&answer, column) != known.stored[i].modifier) return false;
  }
  return true;
}

Status lock_by_reading(Connection& connection, const TableName& table, const KnownTable& known) {
  std::string columns;
  for (const CatalogColumn& column : known.table.columns) {
    columns += (columns.empty() ? "" : ", ") + quote_name(column.name);
  }
  bool is_same = false;
  const auto read = connection.select(fmt::format("SELECT {} FROM {} WHERE false", columns, spelled(table)),
                                      [&](const PGresult& answer) { is_same = is_as_known(answer, known); });
  if (!read) return fail(connection.explain(read.error(), {table}));
  if (!is_same) return fail(changed({table}));
  return {};
}

Status check_tables(Connection& connection, const KnownTables& known, const std::vector<TableName>& tables) {
  TACIT_TRY(const KnownTables now, read_catalog(connection, tables));
  for (const TableName& table : tables) {
    const auto found = now.find(table);
    if (found == now.end() || !found->second.is_same_definition(known.at(table))) return fail(changed({table}));
    if (!found->second.takes_lock) TACIT_TRY_STATUS(lock_by_reading(connection, table, found->second));
  }
  return {};
}

bool is_gone(const EngineError& error) { return error.sqlstate == "42P01" || error.sqlstate == "3F000"; }

}  // namespace

Result<KnownTables> read_known_tables(Connection& connection) {
  if (connection.in_snapshot()) return read_catalog(connection);
  TACIT_TRY_STATUS(connection.revive());
  const auto begun = connection.begin(begin_sql);
  if (!begun) return fail(connection.explain(begun.error()));
  auto tables = read_catalog(connection);
  connection.end();
  return tables;
}

Status begin_snapshot(Connection& connection, const KnownTables& known, const std::vector<TableName>& tables) {
  TACIT_TRY_STATUS(connection.revive());
  for (const TableName& table : tables) {
    if (!known.contains(table)) return fail(changed({table}));
  }
  const auto begun = connection.begin(begin_sql + lock_sql(known, tables));
  if (!begun) {
    if (is_gone(begun.error())) return fail(changed(tables));
    return fail(connection.explain(begun.error(), tables));
  }
  if (tables.empty()) return {};
  auto checked = check_tables(connection, known, tables);
  if (!checked) connection.end();
  return checked;
}

}  // namespace tacit::postgres_engine
