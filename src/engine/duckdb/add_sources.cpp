#include "engine/duckdb/add_sources.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "engine/duckdb/add_csv.hpp"
#include "engine/duckdb/add_parquet.hpp"
#include "engine/duckdb/check_file.hpp"
#include "engine/duckdb/read_catalog.hpp"
#include "engine/duckdb/read_rows.hpp"
#include "engine/sql_text.hpp"

namespace tacit::duckdb_engine {
namespace {

namespace fs = std::filesystem;

struct FileFormat {
  std::string_view ending;
  Status (*add)(Connection& connection, const SourceTable& source);
  bool stays_open;  // queries read the file itself
};

constexpr std::array formats = {
    FileFormat{".parquet", add_parquet, true},
    FileFormat{".csv", add_csv, false},
    FileFormat{".csv.gz", add_csv, false},
};

const FileFormat* format_of(std::string file) {
  for (char& c : file) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const FileFormat& format : formats) {
    if (file.ends_with(format.ending)) return &format;
  }
  return nullptr;
}

Result<bool> database_has(Connection& connection, const std::string& name) {
  auto outcome = connection.execute(fmt::format(
      "SELECT count(*) FROM (SELECT table_name AS name FROM duckdb_tables() WHERE schema_name = '{0}' UNION "
      "ALL SELECT view_name FROM duckdb_views() WHERE schema_name = '{0}' AND NOT internal) WHERE "
      "lower(name) = lower({1})",
      default_schema, quote_text(name)));
  if (!outcome) return fail(connection.explain(outcome.error()));
  const auto rows = read_values(*outcome, {SqlType::integer()});
  return std::get<Decimal>(rows.at(0).at(0)) != Decimal{0, 0};
}

}  // namespace

Result<std::vector<std::string>> add_sources(Connection& connection, const Policy& policy,
                                             const std::string& database) {
  std::vector<std::string> stay_open;
  for (const TablePolicy& table : policy.tables) {
    if (!table.source) continue;
    const std::string where = fmt::format("{}:{}", policy.path, table.place.line);
    const auto refuse_source = [&](std::string what, std::string hint) {
      return fail({FailureCode::usage, std::move(what), where, std::move(hint)});
    };
    if (!table.name.schema.empty() && table.name.schema != default_schema) {
      return refuse_source(fmt::format("table `{}` has a `source` and a schema", to_string(table.name)),
                           "name the table without a schema");
    }
    TACIT_TRY(const bool exists, database_has(connection, table.name.name));
    if (exists) {
      return refuse_source(fmt::format("table `{}` has a `source`, and the database has a table of that name too",
                                       to_string(table.name)),
                           "remove `source` or name the table otherwise");
    }
    const FileFormat* format = format_of(*table.source);
    if (format == nullptr) {
      return refuse_source(
          fmt::format("the `source` of table `{}` is not a .parquet, .csv or .csv.gz file", to_string(table.name)),
          "convert it to Parquet");
    }
    const std::string path = fs::absolute(policy.resolve(*table.source)).lexically_normal().string();
    if (path.find_first_of("*?[]{}") != std::string::npos) {
      return refuse_source(fmt::format("the path of the `source` of table `{}` has one of the characters * ? [ ] {{ }}",
                                       to_string(table.name)),
                           "a `source` is one file; rename it or its folder");
    }
    TACIT_TRY_STATUS(check_file(path, fmt::format("the `source` of table `{}`", to_string(table.name)), where));
    TACIT_TRY_STATUS(format->add(connection, {table, path, where, database}));
    if (format->stays_open) stay_open.push_back(path);
  }
  return stay_open;
}

}  // namespace tacit::duckdb_engine
