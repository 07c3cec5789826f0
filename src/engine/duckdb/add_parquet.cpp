#include "engine/duckdb/add_parquet.hpp"

#include <fmt/format.h>

#include "engine/duckdb/column_type.hpp"
#include "engine/duckdb/engine_trouble.hpp"
#include "engine/duckdb/read_rows.hpp"
#include "engine/sql_text.hpp"

namespace tacit::duckdb_engine {
namespace {

Failure not_parquet(Connection& connection, const EngineError& error, const std::string& path) {
  switch (classify(error.text, path)) {
    case ErrorKind::interrupted:
    case ErrorKind::out_of_memory: return connection.explain(error);
    default:
      return {FailureCode::engine, "the file is not Parquet, or is damaged or not complete", path,
              "write it again, or name another `source`"};
  }
}

}  // namespace

Status add_parquet(Connection& connection, const SourceTable& source) {
  // Nothing is taken from the path (no hive_partitioning), nothing is guessed.
  const std::string scan = fmt::format(
      "read_parquet({}, hive_partitioning = false, union_by_name = false, filename = false)", quote_text(source.path));
  auto described =
      connection.execute(fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", scan));
  if (!described) return fail(not_parquet(connection, described.error(), source.path));
  std::string columns;
  for (const auto& row : read_values(*described, {SqlType::text(), SqlType::text()})) {
    const std::string name = quote_name(std::get<std::string>(row[0]));
    const auto cast = usable_cast(std::get<std::string>(row[1]));
    columns += columns.empty() ? "" : ", ";
    columns += cast ? fmt::format("CAST({0} AS {1}) AS {0}", name, *cast) : name;
  }
  const auto made =
      connection.execute(fmt::format("CREATE VIEW {} AS SELECT {} FROM {}", source.spelled(), columns, scan));
  if (!made) return fail(not_parquet(connection, made.error(), source.path));
  return {};
}

}  // namespace tacit::duckdb_engine
