#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/duckdb/handles.hpp"

namespace tacit::duckdb_engine {

struct Limits {
  double timeout_seconds = 60.0;             // of each statement
  std::optional<std::size_t> memory_bytes;   // empty: DuckDB's own choice, 80% of the machine's
  std::optional<int> threads;                // empty: one a core
  std::optional<std::size_t> spilled_bytes;  // most that temporary files may take; empty: 90% of the free disk
};

// One DuckDB of our own, in memory, with one connection. The order of calls: open, any number of execute, then
// lock_down, then any number of select.
class Connection {
 public:
  static Result<std::unique_ptr<Connection>> open(const Limits& limits, const std::filesystem::path& spill_directory);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // A statement of ours that sets things up.
  Outcome<QueryResult> execute(const std::string& sql);

  // From here on: no file but these can be opened, no extension loaded, no setting changed; one read-only snapshot.
  Status lock_down(const std::vector<std::string>& readable_files);

  // Exactly one SELECT, inside the snapshot; anything else breaks an invariant of ours. After a failure the connection
  // is as usable as before.
  Outcome<QueryResult> select(const std::string& sql);

  // The failure of the last statement, for people.
  Failure explain(const EngineError& error) const;

  void cancel() { cancelled_ = true; }

 private:
  explicit Connection(const Limits& limits) : limits_(limits) {}
  template <class Run>
  Outcome<QueryResult> watched(const Run& run);
  Outcome<QueryResult> run_select(const std::string& sql);

  Limits limits_;
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  bool in_snapshot_ = false;
  bool timed_out_ = false;  // the last statement
  std::atomic<bool> cancelled_ = false;
};

}  // namespace tacit::duckdb_engine
