#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/value.hpp"
#include "engine/duckdb/check_collations.hpp"
#include "engine/duckdb/column_type.hpp"
#include "engine/duckdb/read_catalog.hpp"
#include "engine/duckdb/read_rows.hpp"
#include "engine/sql_text.hpp"

namespace tacit::duckdb_engine {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// Only the whole catalog tells apart names that differ in case.
bool are_distinct(const std::vector<StoredTable>& tables) {
  std::set<std::pair<std::string, std::string>> seen;
  return std::all_of(tables.begin(), tables.end(), [&](const StoredTable& table) {
    return !is_name_of_the_engine(table.name) &&
           seen.emplace(lower_case(table.name.schema), lower_case(table.name.name)).second;
  });
}

// Names of tables in the order of the text, as the engine stores them: `"Table": "main.Visit"` in a plan as JSON.
std::vector<std::string> scanned_tables(std::string_view plan) {
  constexpr std::string_view mark = "\"Table\": \"";
  std::vector<std::string> names;
  for (auto at = plan.find(mark); at != std::string_view::npos; at = plan.find(mark, at)) {
    at += mark.size();
    const std::string_view qualified = plan.substr(at, plan.find("\",", at) - at);
    const auto dot = qualified.rfind('.');
    names.emplace_back(dot == std::string_view::npos ? qualified : qualified.substr(dot + 1));
  }
  return names;
}

// Whether the file spells these tables as they are named here; looking them up by name ignores case. False also for
// views, which a plan does not name, and for names that it prints otherwise: then the whole catalog tells.
bool are_spelled_so(Connection& connection, const std::vector<StoredTable>& tables) {
  std::vector<std::string> expected;
  std::string sql;
  for (const StoredTable& table : tables) {
    if (table.database != attached_database) continue;
    expected.push_back(table.name.name);
    sql += fmt::format("{}SELECT 1 FROM {}.{}", sql.empty() ? "EXPLAIN (FORMAT json) " : " UNION ALL ",
                       quote_name(table.name.schema), quote_name(table.name.name));
  }
  if (expected.empty()) return true;
  auto plan = connection.execute(sql);
  if (!plan) return false;
  std::vector<std::string> found;
  for (const auto& row : read_values(*plan, {SqlType::text(), SqlType::text()})) {
    found = scanned_tables(std::get<std::string>(row[1]));
  }
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  return found == expected;
}

// The columns of one table in their order (one thread lists them), with PRI where one is in the primary key, and UNI
// where it is in another key: which columns form one with it is not told here.
std::string describe_sql(std::size_t number, const StoredTable& table) {
  const std::string name =
      fmt::format("{}.{}.{}", quote_name(table.database), quote_name(table.name.schema), quote_name(table.name.name));
  return fmt::format("SELECT {}, column_name, column_type, \"null\", \"key\" FROM pragma_show({})", number,
                     quote_text(name));
}

// Empty: not all of them are there, or not all of their keys can be told.
Result<std::optional<std::vector<CatalogTable>>> describe(Connection& connection,
                                                          const std::vector<StoredTable>& stored) {
  std::string sql;
  for (std::size_t i = 0; i < stored.size(); ++i) sql += (i == 0 ? "" : " UNION ALL ") + describe_sql(i, stored[i]);
  auto outcome = connection.select_catalog(sql);
  if (!outcome) {
    TACIT_TRY_STATUS(connection.check_usable());
    return std::nullopt;
  }
  const SqlType text = SqlType::text();
  const auto rows = read_values(*outcome, {SqlType::integer(), text, text, text, text});
  std::vector<CatalogTable> tables;
  for (const StoredTable& table : stored) tables.push_back({table.name.schema, table.name.name, {}, {}});
  for (const auto& row : rows) {
    const bool is_in_a_key = !std::holds_alternative<Null>(row[4]);
    if (is_in_a_key && row[4] != Value("PRI")) return std::nullopt;
    CatalogTable& table = tables[static_cast<std::size_t>(std::get<Decimal>(row[0]).units)];
    const auto& name = std::get<std::string>(row[1]);
    const auto& engine_type = std::get<std::string>(row[2]);
    table.columns.push_back({name, column_type(engine_type), engine_type, row[3] == Value("NO")});
    if (is_in_a_key) table.primary_key.push_back(name);
  }
  for (CatalogTable& table : tables) {
    if (!table.primary_key.empty()) table.unique_keys.push_back(table.primary_key);
  }
  return tables;
}

}  // namespace

Result<Catalog> read_catalog_of(Connection& connection, const std::vector<StoredTable>& tables) {
  if (tables.empty() || !are_distinct(tables) || !are_spelled_so(connection, tables)) return read_catalog(connection);
  TACIT_TRY(auto described, describe(connection, tables));
  if (!described) return read_catalog(connection);
  TACIT_TRY_STATUS(check_collations(connection, *described));
  if (described->size() != tables.size()) return read_catalog(connection);
  return Catalog{{default_schema}, *std::move(described)};
}

}  // namespace tacit::duckdb_engine
