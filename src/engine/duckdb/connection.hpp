#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/duckdb/handles.hpp"
#include "engine/duckdb/instance.hpp"

namespace tacit::duckdb_engine {

// One connection of an instance. The order of calls: open; on the first connection any number of execute, then
// lock_down; then any number of select.
// A statement that does not stop when it is told to is abandoned (watched_statement.hpp): it fails like any other at
// its deadline, and from then on everything fails on this connection. Others of the instance go on; they share its
// memory and threads with the statement until it ends.
class Connection {
 public:
  // With the search path of the connections before it.
  static Result<std::unique_ptr<Connection>> open(std::shared_ptr<Instance> instance);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // A statement of ours that sets things up.
  Outcome<QueryResult> execute(const std::string& sql);

  // Of this connection and those to come. `then`: another statement of ours, after it.
  Status set_search_path(const std::string& path, const std::string& then = "");

  // DuckDB begins with one thread: on statements that read a few rows the others only wait, at the price of a core.
  // From here on those that the limits allow.
  Status use_all_threads();

  // From here on, for the whole instance: no file but these can be opened, no extension loaded; one read-only snapshot
  // per connection. Settings can be changed no more from the first select() on, but for the search path.
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
  struct Handle;  // what a statement's thread shares with the object
  explicit Connection(std::shared_ptr<Instance> instance);
  template <class Run>
  Outcome<QueryResult> watched(Run run);
  static Outcome<QueryResult> select_in_snapshot(Handle& handle, const std::string& sql);
  std::string threads_sql() const;
  Outcome<void> lock_settings();
  void roll_back();

  Instance& instance_;  // the handle's
  std::shared_ptr<Handle> handle_;
  bool is_abandoned_ = false;
  bool timed_out_ = false;  // the last statement
  std::atomic<bool> cancelled_ = false;
};

}  // namespace tacit::duckdb_engine
