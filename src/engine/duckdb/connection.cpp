#include "engine/duckdb/connection.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/value.hpp"
#include "engine/duckdb/engine_trouble.hpp"
#include "engine/duckdb/statement_watch.hpp"
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

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const Limits& limits,
                                                     const std::filesystem::path& spill_directory) {
  Config config;
  config.set("autoload_known_extensions", "false");
  config.set("autoinstall_known_extensions", "false");
  config.set("allow_community_extensions", "false");
  config.set("allow_persistent_secrets", "false");
  config.set("default_collation", "");
  config.set("temp_directory", spill_directory.string());
  if (limits.memory_bytes) config.set("memory_limit", fmt::format("{}B", *limits.memory_bytes));
  if (limits.threads) config.set("threads", std::to_string(*limits.threads));

  std::unique_ptr<Connection> made(new Connection(limits));
  char* text = nullptr;
  const bool opened = duckdb_open_ext(nullptr, &made->database_, config.get(), &text) == DuckDBSuccess;
  duckdb_free(text);
  if (!opened || duckdb_connect(made->database_, &made->connection_) != DuckDBSuccess) {
    return fail({FailureCode::engine, "the embedded engine does not start", "",
                 "see `memory` and `threads` under [engine] in the policy"});
  }
  if (limits.spilled_bytes) {  // as a statement: DuckDB 1.4.4 forgets it when it is part of the configuration
    const auto limited = made->execute(fmt::format("SET max_temp_directory_size = '{}B'", *limits.spilled_bytes));
    if (!limited) return fail(made->explain(limited.error()));
  }
  return made;
}

Connection::~Connection() {
  if (connection_ != nullptr) duckdb_disconnect(&connection_);
  if (database_ != nullptr) duckdb_close(&database_);
}

template <class Run>
Outcome<QueryResult> Connection::watched(const Run& run) {
  cancelled_ = false;
  StatementWatch watch(std::chrono::duration<double>(limits_.timeout_seconds), cancelled_,
                       [this] { duckdb_interrupt(connection_); });
  auto outcome = run();
  timed_out_ = watch.timed_out();
  return outcome;
}

Outcome<QueryResult> Connection::execute(const std::string& sql) {
  return watched([&]() -> Outcome<QueryResult> {
    duckdb_result raw{};
    const bool done = duckdb_query(connection_, sql.c_str(), &raw) == DuckDBSuccess;
    QueryResult result(raw);
    if (!done) return tl::unexpected(EngineError{duckdb_result_error(result.get())});
    return result;
  });
}

Status Connection::lock_down(const std::vector<std::string>& readable_files) {
  std::string files;
  for (const std::string& file : readable_files) files += (files.empty() ? "" : ", ") + quote_text(file);
  // allowed_paths cannot be set once external access is off; lock_configuration comes last.
  for (const std::string& sql :
       {std::string("SET preserve_insertion_order = false"), fmt::format("SET allowed_paths = [{}]", files),
        std::string("SET enable_external_access = false"), std::string("SET lock_configuration = true")}) {
    if (!execute(sql)) return fail({FailureCode::engine, "the embedded engine cannot be locked down", "", ""});
  }
  return {};
}

Outcome<QueryResult> Connection::select(const std::string& sql) {
  auto outcome = watched([&]() -> Outcome<QueryResult> {
    if (!in_snapshot_) {
      in_snapshot_ = duckdb_query(connection_, "BEGIN TRANSACTION READ ONLY", nullptr) == DuckDBSuccess;
      if (!in_snapshot_) return tl::unexpected(EngineError{"BEGIN"});
    }
    return run_select(sql);
  });
  if (!outcome) {
    // A failed statement aborts its transaction. The next one sees the same data: nobody can write to an attached file,
    // and tables loaded from files are ours alone.
    duckdb_query(connection_, "ROLLBACK", nullptr);
    in_snapshot_ = false;
  }
  return outcome;
}

Outcome<QueryResult> Connection::run_select(const std::string& sql) {
  PreparedStatement statement;
  if (duckdb_prepare(connection_, sql.c_str(), statement.out()) != DuckDBSuccess) {
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

Failure Connection::explain(const EngineError& error) const {
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
