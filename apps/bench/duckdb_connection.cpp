#include <duckdb.h>
#include <fmt/format.h>

#include "bench/bench_connection.hpp"
#include "bench/bench_failure.hpp"

namespace tacit {
namespace {

class DuckdbConnection final : public BenchConnection {
 public:
  DuckdbConnection() = default;
  DuckdbConnection(const DuckdbConnection&) = delete;
  DuckdbConnection& operator=(const DuckdbConnection&) = delete;
  ~DuckdbConnection() override {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  bool open(const std::string& path, bool read_only) {
    duckdb_config config = nullptr;
    const bool done =
        duckdb_create_config(&config) == DuckDBSuccess &&
        duckdb_set_config(config, "threads", std::to_string(bench_threads).c_str()) == DuckDBSuccess &&
        duckdb_set_config(config, "access_mode", read_only ? "READ_ONLY" : "READ_WRITE") == DuckDBSuccess &&
        duckdb_open_ext(path.c_str(), &database_, config, nullptr) == DuckDBSuccess &&
        duckdb_connect(database_, &connection_) == DuckDBSuccess;
    duckdb_destroy_config(&config);
    return done;
  }

  Status run(const std::string& sql) override {
    TACIT_TRY(const auto ignored, value(sql));
    (void)ignored;
    return {};
  }

  Result<std::optional<std::string>> value(const std::string& sql) override {
    duckdb_result result;
    const bool done = duckdb_query(connection_, sql.c_str(), &result) == DuckDBSuccess;
    std::optional<std::string> text;
    if (done && duckdb_column_count(&result) > 0 && duckdb_row_count(&result) > 0) {
      char* const copied = duckdb_value_varchar(&result, 0, 0);
      if (copied != nullptr) text = copied;
      duckdb_free(copied);
    }
    duckdb_destroy_result(&result);
    if (!done) return fail(cannot_run_bench("DuckDB", "free some disk space and try again"));
    return text;
  }

  Result<std::vector<std::vector<std::string>>> rows(const std::string& sql) override {
    duckdb_result result;
    const bool done = duckdb_query(connection_, sql.c_str(), &result) == DuckDBSuccess;
    std::vector<std::vector<std::string>> rows(done ? duckdb_row_count(&result) : 0);
    for (idx_t row = 0; row < rows.size(); ++row) {
      for (idx_t column = 0; column < duckdb_column_count(&result); ++column) {
        char* const copied = duckdb_value_varchar(&result, column, row);
        rows[row].emplace_back(copied == nullptr ? "" : copied);
        duckdb_free(copied);
      }
    }
    duckdb_destroy_result(&result);
    if (!done) return fail(cannot_run_bench("DuckDB", "free some disk space and try again"));
    return rows;
  }

  Status load_csv(const std::string& table, const std::string& file) override {
    return run(fmt::format("COPY {} FROM '{}' (FORMAT csv, HEADER true)", table, file));
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<BenchConnection>> open_duckdb_file(const std::string& path, bool read_only) {
  auto connection = std::make_unique<DuckdbConnection>();
  if (!connection->open(path, read_only)) {
    return fail({FailureCode::engine, "the benchmark's database cannot be opened", path,
                 "end other programs that have it open, or remove the file so that it is made anew"});
  }
  return connection;
}

}  // namespace tacit
