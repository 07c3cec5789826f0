#include "bench/bench_database.hpp"

#include <duckdb.h>
#include <libpq-fe.h>
#include <stdlib.h>

#include <fstream>

namespace tacit {
namespace {

using Rows = std::vector<std::string>;

constexpr const char* schema_sql = "DROP SCHEMA IF EXISTS tacit_bench CASCADE";

// None of the engines' own words: a url may stand in them.
Failure cannot_run(const char* hint) {
  return {FailureCode::engine, "the benchmark's own statements do not run", "", hint};
}

Result<Rows> run_on_postgres(const std::string& url, const std::vector<std::string>& statements) {
  const std::unique_ptr<PGconn, void (*)(PGconn*)> connection(PQconnectdb(url.c_str()), PQfinish);
  PQsetNoticeProcessor(
      connection.get(), [](void*, const char*) {}, nullptr);
  Rows rows;
  for (const std::string& sql : statements) {
    const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQexec(connection.get(), sql.c_str()), PQclear);
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
      return fail(cannot_run("name with --db a database in which you may create the schema tacit_bench"));
    }
    for (int row = 0; row < PQntuples(result.get()); ++row) rows.emplace_back(PQgetvalue(result.get(), row, 0));
  }
  return rows;
}

class DuckdbFile {
 public:
  explicit DuckdbFile(const std::string& path)
      : is_open_(duckdb_open(path.c_str(), &database_) == DuckDBSuccess &&
                 duckdb_connect(database_, &connection_) == DuckDBSuccess) {}
  DuckdbFile(const DuckdbFile&) = delete;
  DuckdbFile& operator=(const DuckdbFile&) = delete;
  ~DuckdbFile() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  bool run(const std::string& sql, std::size_t column, Rows& rows) {
    duckdb_result result;
    const bool done = is_open_ && duckdb_query(connection_, sql.c_str(), &result) == DuckDBSuccess;
    if (!is_open_) return false;
    for (idx_t row = 0; done && row < duckdb_row_count(&result); ++row) {
      char* text = duckdb_value_varchar(&result, column, row);
      rows.emplace_back(text == nullptr ? "" : text);
      duckdb_free(text);
    }
    duckdb_destroy_result(&result);
    return done;
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  bool is_open_;
};

// EXPLAIN has its text in the second column.
Result<Rows> run_on_duckdb(const std::string& path, const std::vector<std::string>& statements) {
  DuckdbFile file(path);
  Rows rows;
  for (const std::string& sql : statements) {
    if (!file.run(sql, sql.starts_with("EXPLAIN") ? 1 : 0, rows)) {
      return fail(cannot_run("free some disk space and try again"));
    }
  }
  return rows;
}

std::string in_bench_schema(const std::string& url) {
  return url + (url.find('?') == std::string::npos ? "?" : "&") + "options=-csearch_path%3Dtacit_bench";
}

}  // namespace

Result<BenchDatabase> BenchDatabase::make(const std::optional<std::string>& postgres_url) {
  BenchDatabase made;
  std::string pattern = (std::filesystem::temp_directory_path() / "tacit-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    return fail(
        {FailureCode::engine, "no temporary directory could be made", "", "free some disk space and try again"});
  }
  made.folder_ = pattern;
  if (postgres_url) {
    made.url_ = in_bench_schema(*postgres_url);
    TACIT_TRY_STATUS(made.run({schema_sql, "CREATE SCHEMA tacit_bench"}));
  }
  return made;
}

BenchDatabase::BenchDatabase(BenchDatabase&& other) noexcept
    : folder_(std::move(other.folder_)), url_(std::move(other.url_)) {
  other.folder_.clear();
  other.url_.reset();
}

BenchDatabase::~BenchDatabase() {
  if (folder_.empty()) return;
  if (url_) (void)run({schema_sql});
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string BenchDatabase::qualified(const std::string& table) const {
  return (is_postgres() ? "tacit_bench." : "main.") + table;
}

Status BenchDatabase::run(const std::vector<std::string>& statements) const {
  const auto rows = is_postgres() ? run_on_postgres(*url_, statements)
                                  : run_on_duckdb((folder_ / "bench.duckdb").string(), statements);
  if (!rows) return fail(rows.error());
  return {};
}

Result<std::vector<std::string>> BenchDatabase::texts(const std::string& sql) const {
  return is_postgres() ? run_on_postgres(*url_, {sql}) : run_on_duckdb((folder_ / "bench.duckdb").string(), {sql});
}

std::string BenchDatabase::write_policy(const std::string& text) const {
  const std::filesystem::path path = folder_ / "bench.toml";
  std::ofstream(path) << "[engine]\nurl = \"" << url_.value_or("duckdb:bench.duckdb")
                      << "\"\nthreads = 2\ntimeout = \"1h\"\n"
                      << text;
  return path.string();
}

}  // namespace tacit
