#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/duckdb/handles.hpp"
#include "engine/duckdb/private_directory.hpp"

namespace tacit::duckdb_engine {

struct Limits {
  double timeout_seconds = 60.0;             // of each statement
  std::optional<std::size_t> memory_bytes;   // empty: DuckDB's own choice, 80% of the machine's
  std::optional<int> threads;                // empty: one a core
  std::optional<std::size_t> spilled_bytes;  // most that temporary files may take; empty: 90% of the free disk
};

// One DuckDB of our own, in memory, with one connection. The order of calls: open, any number of execute, then
// lock_down, then any number of select.
// A statement that does not stop when it is told to is abandoned (watched_statement.hpp): it fails like any other at
// its deadline, and from then on everything fails. DuckDB is closed by whoever leaves last, the object or the
// statement's thread.
class Connection {
 public:
  static Result<std::unique_ptr<Connection>> open(const Limits& limits, PrivateDirectory spill_directory);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // A statement of ours that sets things up.
  Outcome<QueryResult> execute(const std::string& sql);

  // DuckDB begins with one thread: on statements that read a few rows the others only wait, at the price of a core.
  // From here on those that the limits allow.
  Status use_all_threads();

  // From here on: no file but these can be opened, no extension loaded; one read-only snapshot. Settings can be changed
  // no more from the first select() on.
  Status lock_down(const std::vector<std::string>& readable_files);

  // Exactly one SELECT, inside the snapshot; anything else breaks an invariant of ours. After a failure the connection
  // is as usable as before, unless the statement was abandoned.
  Outcome<QueryResult> select(const std::string& sql);
  // The same on one thread.
  // REQUIRES: the statement is about the catalog, without a word that an analyst wrote.
  Outcome<QueryResult> select_catalog(const std::string& sql);

  // The failure of the last statement, for people.
  Failure explain(const EngineError& error) const;

  // Fails once a statement was abandoned.
  Status check_usable() const;

  void cancel() { cancelled_ = true; }

 private:
  struct Database;  // what a statement's thread shares with the object
  Connection(const Limits& limits, PrivateDirectory spill_directory);
  template <class Run>
  Outcome<QueryResult> watched(Run run);
  static Outcome<QueryResult> select_in_snapshot(Database& database, const std::string& sql);
  std::string threads_sql() const;
  void roll_back();

  Limits limits_;
  std::shared_ptr<Database> database_;
  bool uses_all_threads_ = false;
  bool is_locked_ = false;
  bool is_abandoned_ = false;
  bool timed_out_ = false;  // the last statement
  std::atomic<bool> cancelled_ = false;
};

}  // namespace tacit::duckdb_engine
