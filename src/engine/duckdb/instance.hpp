#pragma once

#include <duckdb.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "engine/duckdb/private_directory.hpp"

namespace tacit::duckdb_engine {

struct Limits {
  double timeout_seconds = 60.0;  // of each statement
  // All connections together:
  std::optional<std::size_t> memory_bytes;   // empty: DuckDB's own choice, 80% of the machine's
  std::optional<int> threads;                // empty: one a core
  std::optional<std::size_t> spilled_bytes;  // most that temporary files may take; empty: 90% of the free disk
};

// One DuckDB of our own, in memory: its attached file, its tables loaded from files, its settings. Connections share
// it, and whoever leaves last closes it: one of them, or the thread of a statement that was abandoned.
class Instance {
 public:
  static Result<std::shared_ptr<Instance>> open(const Limits& limits, PrivateDirectory spill_directory);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  const Limits& limits() const { return limits_; }
  duckdb_database handle() const { return handle_; }

  // What is set once for all connections, by the one that comes first.
  struct Settings {
    std::string search_path;  // of every connection
    bool uses_all_threads = false;
    bool is_locked = false;  // no setting can be changed any more, but the search path
  };
  // Calls `work` with the settings; other connections wait meanwhile.
  template <class Work>
  auto with_settings(const Work& work) {
    const std::lock_guard lock(settings_mutex_);
    return work(settings_);
  }

 private:
  Instance(const Limits& limits, PrivateDirectory spill_directory)
      : limits_(limits), spill_directory_(std::move(spill_directory)) {}

  Limits limits_;
  PrivateDirectory spill_directory_;  // outlives the engine
  duckdb_database handle_ = nullptr;
  std::mutex settings_mutex_;
  Settings settings_;
};

}  // namespace tacit::duckdb_engine
