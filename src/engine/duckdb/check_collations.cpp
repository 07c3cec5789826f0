#include "engine/duckdb/check_collations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
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

// The sign of the unit and the letter are two characters that Unicode holds for one, in a spelling without accents,
// in lower case, and composed. So every collation of DuckDB, which ignores case, accents or spelling, calls them equal
// (catalog_test.cpp asks all of them), and bytes do not.
constexpr std::string_view angstrom_sign = "\u212b";
constexpr std::string_view letter = "\u00c5";

// Its place, and after a 0 whether each text column's equality identifies different strings. any_value keeps its
// argument's collation, and has a value on no rows; count makes it one row.
std::string probe(std::size_t place, CatalogTable& table) {
  std::string verdicts = "count(*)";
  for (const CatalogColumn* column : text_columns(table)) {
    verdicts += fmt::format(", coalesce(any_value({}), '{}') = '{}'", quote_name(column->name), angstrom_sign, letter);
  }
  return fmt::format("SELECT {}, concat({}) FROM {}.{} WHERE false", place, verdicts, quote_name(table.schema),
                     quote_name(table.name));
}

// "0falsetrue": whether each of `count` columns is collated.
std::vector<bool> read_verdicts(std::string_view text, std::size_t count) {
  TACIT_CHECK(text.starts_with('0'), "the probe of collations reads no row");
  text.remove_prefix(1);
  std::vector<bool> verdicts;
  while (!text.empty()) {
    verdicts.push_back(!text.starts_with("false"));
    const std::string_view word = verdicts.back() ? "true" : "false";
    TACIT_CHECK(text.starts_with(word), "the probe of collations says true or false");
    text.remove_prefix(word.size());
  }
  TACIT_CHECK(verdicts.size() == count, "every text column is probed");
  return verdicts;
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
    const std::vector<bool> collated = read_verdicts(std::get<std::string>(row[1]), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!collated[i]) continue;
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
