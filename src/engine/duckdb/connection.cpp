#include "engine/duckdb/connection.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/value.hpp"
#include "engine/duckdb/engine_trouble.hpp"
#include "engine/duckdb/watched_statement.hpp"
#include "engine/sql_text.hpp"

namespace tacit::duckdb_engine {
namespace {

std::string search_path_sql(const std::string& path) { return "SET search_path = " + quote_text(path); }

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

struct Connection::Handle {
  explicit Handle(std::shared_ptr<Instance> shared) : instance(std::move(shared)) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (connection != nullptr) duckdb_disconnect(&connection);
  }

  std::shared_ptr<Instance> instance;  // first: outlives the connection
  duckdb_connection connection = nullptr;
  bool in_snapshot = false;
};

Connection::Connection(std::shared_ptr<Instance> instance)
    : instance_(*instance), handle_(std::make_shared<Handle>(std::move(instance))) {}

Result<std::unique_ptr<Connection>> Connection::open(std::shared_ptr<Instance> instance) {
  std::unique_ptr<Connection> made(new Connection(std::move(instance)));
  if (duckdb_connect(made->instance_.handle(), &made->handle_->connection) != DuckDBSuccess) {
    return fail({FailureCode::engine, "the embedded engine takes no other connection", "", "close some of them"});
  }
  const std::string path = made->instance_.with_settings([](const auto& settings) { return settings.search_path; });
  if (path.empty()) return made;
  const auto done = made->execute(search_path_sql(path));
  if (!done) return fail(made->explain(done.error()));
  return made;
}

template <class Run>
Outcome<QueryResult> Connection::watched(Run run) {
  if (is_abandoned_) return tl::unexpected(EngineError{.is_out_of_use = true});
  struct Task {
    std::shared_ptr<Handle> handle;  // first: outlives the result
    std::optional<Outcome<QueryResult>> outcome;
  };
  cancelled_ = false;
  const auto task = std::make_shared<Task>(Task{handle_, std::nullopt});
  const StatementEnd end = run_watched([task, run = std::move(run)] { task->outcome = run(*task->handle); },
                                       std::chrono::duration<double>(instance_.limits().timeout_seconds), cancelled_,
                                       [this] { duckdb_interrupt(handle_->connection); });
  timed_out_ = end.is_timed_out;
  is_abandoned_ = end.is_abandoned;
  if (is_abandoned_) return tl::unexpected(EngineError{"INTERRUPT Error"});
  return *std::move(task->outcome);
}

Outcome<QueryResult> Connection::execute(const std::string& sql) {
  auto outcome = watched([sql](Handle& handle) -> Outcome<QueryResult> {
    duckdb_result raw{};
    const bool done = duckdb_query(handle.connection, sql.c_str(), &raw) == DuckDBSuccess;
    QueryResult result(raw);
    if (!done) return tl::unexpected(EngineError{duckdb_result_error(result.get())});
    return result;
  });
  if (!outcome && !is_abandoned_ && handle_->in_snapshot) roll_back();
  return outcome;
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

Status Connection::set_search_path(const std::string& path, const std::string& then) {
  const auto done = execute(search_path_sql(path) + (then.empty() ? "" : "; " + then));
  if (!done) return fail(explain(done.error()));
  instance_.with_settings([&](auto& settings) { settings.search_path = path; });
  return {};
}

std::string Connection::threads_sql() const {
  const auto& threads = instance_.limits().threads;
  return threads ? fmt::format("SET threads = {}", *threads) : "RESET threads";
}

Status Connection::use_all_threads() {
  return instance_.with_settings([&](Instance::Settings& settings) -> Status {
    if (settings.uses_all_threads) return {};
    const auto done = execute(threads_sql());
    if (!done) return fail(explain(done.error()));
    settings.uses_all_threads = true;
    return {};
  });
}

Outcome<void> Connection::lock_settings() {
  return instance_.with_settings([&](Instance::Settings& settings) -> Outcome<void> {
    if (settings.is_locked) return {};
    std::string sql = "SET lock_configuration = true";
    if (!settings.uses_all_threads) sql.insert(0, threads_sql() + "; ");
    if (auto locked = execute(sql); !locked) return tl::unexpected(std::move(locked).error());
    settings.is_locked = settings.uses_all_threads = true;
    return {};
  });
}

Outcome<QueryResult> Connection::select(const std::string& sql) {
  if (auto locked = lock_settings(); !locked) {
    roll_back();
    return tl::unexpected(std::move(locked).error());
  }
  return select_catalog(sql);
}

Outcome<QueryResult> Connection::select_catalog(const std::string& sql) {
  auto outcome = watched([sql](Handle& handle) { return select_in_snapshot(handle, sql); });
  if (!outcome) roll_back();
  return outcome;
}

// A failed statement aborts its transaction. The next one sees the same data: nobody can write to an attached file, and
// tables loaded from files are ours alone. Not watched: an interrupt must not reach it.
void Connection::roll_back() {
  if (is_abandoned_) return;
  duckdb_query(handle_->connection, "ROLLBACK", nullptr);
  handle_->in_snapshot = false;
}

Outcome<QueryResult> Connection::select_in_snapshot(Handle& handle, const std::string& sql) {
  if (!handle.in_snapshot) {
    handle.in_snapshot = duckdb_query(handle.connection, "BEGIN TRANSACTION READ ONLY", nullptr) == DuckDBSuccess;
    if (!handle.in_snapshot) return tl::unexpected(EngineError{"BEGIN"});
  }
  return run_select(handle.connection, sql);
}

Status Connection::check_usable() const {
  if (!is_abandoned_) return {};
  return fail(explain({.is_out_of_use = true}));
}

Failure Connection::explain(const EngineError& error) const {
  if (error.is_out_of_use) {
    return {FailureCode::engine, "the engine is still busy with a statement that did not stop when it was told to", "",
            "start Tacit again; a program that embeds it opens another session"};
  }
  const ErrorKind trouble = classify(error.text);
  if (trouble != ErrorKind::interrupted) return statement_failure(trouble);
  if (timed_out_) {
    return {FailureCode::engine,
            fmt::format("the engine did not finish within {} s", to_string(instance_.limits().timeout_seconds)), "",
            "raise `timeout` under [engine] in the policy"};
  }
  return {FailureCode::engine, "cancelled", "", ""};
}

}  // namespace tacit::duckdb_engine
