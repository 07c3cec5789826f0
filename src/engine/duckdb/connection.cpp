#include "engine/duckdb/connection.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/value.hpp"
#include "duckdb/library.hpp"
#include "engine/duckdb/engine_trouble.hpp"
#include "engine/duckdb/watched_statement.hpp"
#include "engine/sql_text.hpp"

namespace tacit::duckdb_engine {
namespace {

class Config {
 public:
  Config() { TACIT_CHECK(duckdb_create_config(&config_) == DuckDBSuccess, "DuckDB makes a configuration"); }
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;
  ~Config() { duckdb_destroy_config(&config_); }
  void set(const char* name, const std::string& value) {
    TACIT_CHECK(duckdb_set_config(config_, name, value.c_str()) == DuckDBSuccess, "DuckDB knows its settings");
  }
  duckdb_config get() const { return config_; }

 private:
  duckdb_config config_ = nullptr;
};

bool has_setting_of_2_0() {
  const auto version = parse_duckdb_version(duckdb_library_version());
  return version && version->major >= 2;
}

Outcome<QueryResult> run_select(duckdb_connection connection, const std::string& sql) {
  PreparedStatement statement;
  if (duckdb_prepare(connection, sql.c_str(), statement.out()) != DuckDBSuccess) {
    const char* text = duckdb_prepare_error(statement.get());
    return tl::unexpected(EngineError{text == nullptr ? "" : text});
  }
  TACIT_CHECK(duckdb_prepared_statement_type(statement.get()) == DUCKDB_STATEMENT_TYPE_SELECT,
              "only SELECT reaches the engine");
  duckdb_result raw{};
  const bool done = duckdb_execute_prepared(statement.get(), &raw) == DuckDBSuccess;
  QueryResult result(raw);
  if (!done) return tl::unexpected(EngineError{duckdb_result_error(result.get())});
  return result;
}

}  // namespace

struct Connection::Database {
  explicit Database(PrivateDirectory directory) : spill_directory(std::move(directory)) {}
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() {
    if (connection != nullptr) duckdb_disconnect(&connection);
    if (handle != nullptr) duckdb_close(&handle);
  }

  PrivateDirectory spill_directory;  // first: outlives the engine
  duckdb_database handle = nullptr;
  duckdb_connection connection = nullptr;
  bool in_snapshot = false;
};

Connection::Connection(const Limits& limits, PrivateDirectory spill_directory)
    : limits_(limits), database_(std::make_shared<Database>(std::move(spill_directory))) {}

Result<std::unique_ptr<Connection>> Connection::open(const Limits& limits, PrivateDirectory spill_directory) {
  Config config;
  config.set("autoload_known_extensions", "false");
  config.set("autoinstall_known_extensions", "false");
  config.set("allow_community_extensions", "false");
  config.set("allow_persistent_secrets", "false");
  config.set("default_collation", "");
  config.set("temp_directory", spill_directory.path().string());
  if (limits.memory_bytes) config.set("memory_limit", fmt::format("{}B", *limits.memory_bytes));
  config.set("threads", "1");
  // NULL, as until 1.5: a statement must not fail by a stored zero.
  if (has_setting_of_2_0()) config.set("error_on_division_by_zero", "false");

  std::unique_ptr<Connection> made(new Connection(limits, std::move(spill_directory)));
  Database& database = *made->database_;
  char* text = nullptr;
  const bool opened = duckdb_open_ext(nullptr, &database.handle, config.get(), &text) == DuckDBSuccess;
  duckdb_free(text);
  if (!opened || duckdb_connect(database.handle, &database.connection) != DuckDBSuccess) {
    return fail({FailureCode::engine, "the embedded engine does not start", "",
                 "see `memory` and `threads` under [engine] in the policy"});
  }
  if (limits.spilled_bytes) {  // as a statement: DuckDB 1.4.4 forgets it when it is part of the configuration
    const auto limited = made->execute(fmt::format("SET max_temp_directory_size = '{}B'", *limits.spilled_bytes));
    if (!limited) return fail(made->explain(limited.error()));
  }
  return made;
}

template <class Run>
Outcome<QueryResult> Connection::watched(Run run) {
  if (is_abandoned_) return tl::unexpected(EngineError{.is_out_of_use = true});
  struct Task {
    std::shared_ptr<Database> database;  // first: outlives the result
    std::optional<Outcome<QueryResult>> outcome;
  };
  cancelled_ = false;
  const auto task = std::make_shared<Task>(Task{database_, std::nullopt});
  const StatementEnd end = run_watched([task, run = std::move(run)] { task->outcome = run(*task->database); },
                                       std::chrono::duration<double>(limits_.timeout_seconds), cancelled_,
                                       [this] { duckdb_interrupt(database_->connection); });
  timed_out_ = end.is_timed_out;
  is_abandoned_ = end.is_abandoned;
  if (is_abandoned_) return tl::unexpected(EngineError{"INTERRUPT Error"});
  return *std::move(task->outcome);
}

Outcome<QueryResult> Connection::execute(const std::string& sql) {
  return watched([sql](Database& database) -> Outcome<QueryResult> {
    duckdb_result raw{};
    const bool done = duckdb_query(database.connection, sql.c_str(), &raw) == DuckDBSuccess;
    QueryResult result(raw);
    if (!done) return tl::unexpected(EngineError{duckdb_result_error(result.get())});
    return result;
  });
}

Status Connection::lock_down(const std::vector<std::string>& readable_files) {
  std::string files;
  for (const std::string& file : readable_files) files += (files.empty() ? "" : ", ") + quote_text(file);
  // allowed_paths cannot be set once external access is off.
  const std::string sql = fmt::format(
      "SET preserve_insertion_order = false; SET allowed_paths = [{}]; SET enable_external_access = false", files);
  if (!execute(sql)) return fail({FailureCode::engine, "the embedded engine cannot be locked down", "", ""});
  return {};
}

std::string Connection::threads_sql() const {
  return limits_.threads ? fmt::format("SET threads = {}", *limits_.threads) : "RESET threads";
}

Status Connection::use_all_threads() {
  if (uses_all_threads_) return {};
  const auto done = execute(threads_sql());
  if (!done) return fail(explain(done.error()));
  uses_all_threads_ = true;
  return {};
}

Outcome<QueryResult> Connection::select(const std::string& sql) {
  if (!is_locked_) {
    std::string settings = "SET lock_configuration = true";
    if (!uses_all_threads_) settings.insert(0, threads_sql() + "; ");
    if (auto locked = execute(settings); !locked) {
      roll_back();
      return locked;
    }
    is_locked_ = uses_all_threads_ = true;
  }
  return select_catalog(sql);
}

Outcome<QueryResult> Connection::select_catalog(const std::string& sql) {
  auto outcome = watched([sql](Database& database) { return select_in_snapshot(database, sql); });
  if (!outcome) roll_back();
  return outcome;
}

// A failed statement aborts its transaction. The next one sees the same data: nobody can write to an attached file, and
// tables loaded from files are ours alone. Not watched: an interrupt must not reach it.
void Connection::roll_back() {
  if (is_abandoned_) return;
  duckdb_query(database_->connection, "ROLLBACK", nullptr);
  database_->in_snapshot = false;
}

Outcome<QueryResult> Connection::select_in_snapshot(Database& database, const std::string& sql) {
  if (!database.in_snapshot) {
    database.in_snapshot = duckdb_query(database.connection, "BEGIN TRANSACTION READ ONLY", nullptr) == DuckDBSuccess;
    if (!database.in_snapshot) return tl::unexpected(EngineError{"BEGIN"});
  }
  return run_select(database.connection, sql);
}

Status Connection::check_usable() const {
  if (!is_abandoned_) return {};
  return fail(explain({.is_out_of_use = true}));
}

Failure Connection::explain(const EngineError& error) const {
  if (error.is_out_of_use) {
    return {FailureCode::engine, "the engine is still busy with a statement that did not stop when it was told to", "",
            "start Tacit again"};
  }
  const Trouble trouble = classify(error.text);
  if (trouble != Trouble::interrupted) return statement_failure(trouble);
  if (timed_out_) {
    return {FailureCode::engine,
            fmt::format("the engine did not finish within {} s", to_string(limits_.timeout_seconds)), "",
            "raise `timeout` under [engine] in the policy"};
  }
  return {FailureCode::engine, "cancelled", "", ""};
}

}  // namespace tacit::duckdb_engine
