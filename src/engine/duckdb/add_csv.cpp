#include "engine/duckdb/add_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/nearest_name.hpp"
#include "engine/duckdb/column_type.hpp"
#include "engine/duckdb/csv_header.hpp"
#include "engine/duckdb/engine_trouble.hpp"
#include "engine/duckdb/read_rows.hpp"
#include "engine/sql_text.hpp"

namespace tacit::duckdb_engine {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// Where a declared column stands in the header: spelt the same, or else the only one that differs by case alone.
std::optional<std::size_t> position_of(const std::string& name, const std::vector<std::string>& header) {
  std::vector<std::size_t> same;
  std::vector<std::size_t> alike;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] == name) same.push_back(i);
    if (lower(header[i]) == lower(name)) alike.push_back(i);
  }
  if (same.size() == 1) return same[0];
  if (same.empty() && alike.size() == 1) return alike[0];
  return std::nullopt;
}

// Header position -> declared column.
using Layout = std::map<std::size_t, std::pair<std::string, SqlType>>;

Result<Layout> lay_out(const SourceTable& source, const std::vector<std::string>& header) {
  const auto refuse_column = [&](std::string what, std::string hint) {
    return fail({FailureCode::usage, std::move(what), source.where, std::move(hint)});
  };
  Layout layout;
  for (const auto& [name, column] : source.table.columns) {
    if (!column.type) {
      return refuse_column(fmt::format("column `{}` of the CSV file has no type", name),
                           "declare it: type = \"integer\", \"decimal(12,2)\", \"text\", \"date\", ...");
    }
    const auto position = position_of(name, header);
    if (!position && std::find(header.begin(), header.end(), name) != header.end()) {
      return refuse_column(fmt::format("the CSV file's first line names column `{}` twice", name),
                           "give its columns different names in the first line");
    }
    if (!position) {
      return refuse_column(
          fmt::format("the CSV file's first line does not name column `{}`{}", name, did_you_mean(name, header)),
          "declare the columns as the file names them");
    }
    if (!layout.try_emplace(*position, name, *column.type).second) {
      return refuse_column(fmt::format("column `{}` of the CSV file is declared twice", name), "remove one");
    }
  }
  if (layout.empty()) {
    return refuse_column("a table from a CSV file declares no columns",
                         "list them under [tables.NAME.columns], each with its type");
  }
  return layout;
}

// "CSV Error on Line: 17" begins the message of a malformed line; the number is all that is taken from it.
std::optional<std::string> line_of(const std::string& text) {
  constexpr std::string_view mark = "CSV Error on Line: ";
  const auto at = text.find(mark);
  if (at == std::string::npos) return std::nullopt;
  const auto begin = at + mark.size();
  const auto end = std::min(text.find_first_not_of("0123456789", begin), text.size());
  if (end == begin) return std::nullopt;
  return text.substr(begin, end - begin);
}

// The declared column the message is about, if it is about one.
std::optional<std::string> column_of(const std::string& text, const Layout& layout) {
  for (const auto& [position, column] : layout) {
    if (text.find(fmt::format("Error when converting column \"c{}\"", position)) != std::string::npos) {
      return column.first;
    }
  }
  return std::nullopt;
}

Failure malformed(Connection& connection, const EngineError& error, const SourceTable& source, const Layout& layout) {
  switch (classify(error.text, source.path)) {
    case ErrorKind::interrupted:
    case ErrorKind::out_of_memory:
    case ErrorKind::disk_full: return connection.explain(error);
    default: break;
  }
  const auto line = line_of(error.text);
  const auto column = column_of(error.text, layout);
  const std::string where = line ? fmt::format("{}:{}", source.path, *line) : source.path;
  if (column) {
    return {FailureCode::engine,
            fmt::format("a cell of the CSV file is not of its column's type (column `{}`)", *column), where,
            "correct the file or the declared type"};
  }
  return {FailureCode::engine, "the CSV file has a malformed line", where,
          "every line must have the cells the first line names, in UTF-8, quotes closed"};
}

// The engine reads it, so that a compressed file needs nothing more: lines of one unquoted cell, the first of them.
Result<std::vector<std::string>> read_header(Connection& connection, const SourceTable& source) {
  auto line = connection.execute(fmt::format(
      "SELECT line FROM read_csv({}, auto_detect = false, header = false, delim = '\x01', quote = '', escape "
      "= '', ignore_errors = true, strict_mode = false, parallel = false, columns = {{'line': 'VARCHAR'}}) LIMIT 1",
      quote_text(source.path)));
  if (!line) return fail(malformed(connection, line.error(), source, {}));
  const auto rows = read_values(*line, {SqlType::text()});
  const auto* text = rows.empty() ? nullptr : std::get_if<std::string>(rows.front().data());
  return parse_csv_header(text == nullptr ? "" : *text, source.path);
}

}  // namespace

Status add_csv(Connection& connection, const SourceTable& source) {
  TACIT_TRY(const auto header, read_header(connection, source));
  TACIT_TRY(const auto layout, lay_out(source, header));
  std::string file_columns;
  std::string columns;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto declared = layout.find(i);
    const std::string type = declared == layout.end() ? "VARCHAR" : engine_word(declared->second.second);
    file_columns += fmt::format("{}'c{}': '{}'", i == 0 ? "" : ", ", i, type);
    if (declared == layout.end()) continue;
    columns += fmt::format("{}c{} AS {}", columns.empty() ? "" : ", ", i, quote_name(declared->second.first));
  }
  const auto made = connection.execute(fmt::format(
      "CREATE TABLE {} AS SELECT {} FROM read_csv({}, auto_detect = false, header = true, delim = ',', quote = "
      "'\"', escape = '\"', nullstr = '', columns = {{{}}})",
      source.spelled(), columns, quote_text(source.path), file_columns));
  if (!made) return fail(malformed(connection, made.error(), source, layout));
  return {};
}

}  // namespace tacit::duckdb_engine
