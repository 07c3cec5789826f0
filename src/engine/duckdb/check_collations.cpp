#include "engine/duckdb/check_collations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/check.hpp"
#include "base/value.hpp"
#include "engine/duckdb/engine_trouble.hpp"
#include "engine/duckdb/read_rows.hpp"
#include "engine/sql_text.hpp"

namespace tacit::duckdb_engine {
namespace {

std::vector<CatalogColumn*> text_columns(CatalogTable& table) {
  std::vector<CatalogColumn*> texts;
  for (CatalogColumn& column : table.columns) {
    if (column.type == SqlType::text()) texts.push_back(&column);
  }
  return texts;
}

// Its place, and after a 0 a letter for each text column: y where its equality identifies different strings. Every
// collation of DuckDB ignores case, or accents, or the spelling of a composed letter. any_value keeps its argument's
// collation, and has a value on no rows.
std::string probe(std::size_t place, CatalogTable& table) {
  std::string letters = "CAST(count(*) AS VARCHAR)";  // makes it one row
  for (const CatalogColumn* column : text_columns(table)) {
    letters += fmt::format(
        " || CASE WHEN coalesce(any_value({}), '\u00e9') IN ('\u00c9', 'e', 'e\u0301') THEN 'y' ELSE 'n' END",
        quote_name(column->name));
  }
  return fmt::format("SELECT {}, {} FROM (SELECT * FROM {}.{} LIMIT 0)", place, letters, quote_name(table.schema),
                     quote_name(table.name));
}

bool is_about_these_tables_alone(ErrorKind trouble) {
  return trouble == ErrorKind::access_forbidden || trouble == ErrorKind::no_such_name ||
         trouble == ErrorKind::unreadable || trouble == ErrorKind::other;
}

// False: one of the tables cannot be read.
Result<bool> check_together(Connection& connection, std::span<CatalogTable> tables) {
  std::string sql;
  for (std::size_t i = 0; i < tables.size(); ++i) sql += (i == 0 ? "" : " UNION ALL ") + probe(i, tables[i]);
  auto outcome = connection.select_catalog(sql);
  if (!outcome) {
    if (is_about_these_tables_alone(classify(outcome.error().text))) return false;
    return fail(connection.explain(outcome.error()));
  }
  const auto rows = read_values(*outcome, {SqlType::integer(), SqlType::text()});
  TACIT_CHECK(rows.size() == tables.size(), "every table answers the probe of its collations");
  for (const auto& row : rows) {
    const auto texts = text_columns(tables[static_cast<std::size_t>(std::get<Decimal>(row[0]).units)]);
    const auto& letters = std::get<std::string>(row[1]);
    TACIT_CHECK(letters.size() == texts.size() + 1, "every text column is probed");
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (letters[i + 1] == 'n') continue;
      texts[i]->type.reset();
      texts[i]->engine_type += " with a collation";
    }
  }
  return true;
}

}  // namespace

Status check_collations(Connection& connection, std::vector<CatalogTable>& tables) {
  constexpr std::size_t most_at_once = 16;
  std::vector<CatalogTable> readable;
  for (std::size_t begin = 0; begin < tables.size(); begin += most_at_once) {
    const std::span<CatalogTable> some(&tables[begin], std::min(most_at_once, tables.size() - begin));
    TACIT_TRY(const bool are_readable, check_together(connection, some));
    for (CatalogTable& table : some) {
      if (!are_readable) {
        TACIT_TRY(const bool is_readable, check_together(connection, {&table, 1}));
        if (!is_readable) continue;
      }
      readable.push_back(std::move(table));
    }
  }
  tables = std::move(readable);
  return {};
}

}  // namespace tacit::duckdb_engine
