#include "engine/duckdb/file_states.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

namespace tacit::duckdb_engine {
namespace {

using std::chrono::milliseconds;

// Kernels stamp with the clock of their last tick, at most 10 ms ago; some file systems keep whole seconds, or two.
constexpr milliseconds fine{30};
constexpr milliseconds coarse{2'100};

milliseconds since_epoch(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + milliseconds(time.tv_nsec / 1'000'000);
}

struct FileState {
  std::string text;
  milliseconds settled_at{0};  // from then on another change has another time
};

// Empty where the file cannot be looked at; one that does not exist is in a state of its own.
std::optional<FileState> look_at(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) {
    return errno == ENOENT ? std::optional(FileState{"none", milliseconds(0)}) : std::nullopt;
  }
  const bool is_coarse = found.st_mtim.tv_nsec == 0 && found.st_ctim.tv_nsec == 0;
  return FileState{fmt::format("{} {}.{:09} {}.{:09} {}", found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec,
                               found.st_ctim.tv_sec, found.st_ctim.tv_nsec, found.st_ino),
                   std::max(since_epoch(found.st_mtim), since_epoch(found.st_ctim)) + (is_coarse ? coarse : fine)};
}

milliseconds now() {
  return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch());
}

// A time in the future, by a clock of another machine, is not waited for.
std::optional<std::string> settled_state(const std::string& path) {
  for (int tries = 0; tries < 3; ++tries) {
    const auto state = look_at(path);
    if (!state) return std::nullopt;
    const milliseconds wait = state->settled_at - now();
    if (wait < milliseconds(0)) return state->text;
    if (wait > coarse) return std::nullopt;
    std::this_thread::sleep_for(wait + milliseconds(1));
  }
  return std::nullopt;
}

bool needs_states(const Policy& policy) {
  return std::any_of(policy.tables.begin(), policy.tables.end(), [](const TablePolicy& table) {
    const bool of_users = std::holds_alternative<UsersTable>(table.model) && !table.primary_key.empty();
    const bool of_rows =
        std::holds_alternative<RowsTable>(table.model) && (!table.primary_key.empty() || !table.dependencies.empty());
    return (of_users || of_rows) && !table.keys_trusted;
  });
}

}  // namespace

FileStates::Files FileStates::note(std::vector<std::string> paths) {
  Files files{std::move(paths), ""};
  for (const std::string& path : files.paths) {
    const auto state = settled_state(path);
    if (!state) return {};
    files.state += (files.state.empty() ? "" : "; ") + *state;
  }
  return files;
}

std::string FileStates::state_now(const Files& files) {
  std::string text;
  for (const std::string& path : files.paths) {
    const auto state = look_at(path);
    if (!state) return "";
    text += (text.empty() ? "" : "; ") + state->text;
  }
  return text == files.state ? text : "";
}

FileStates FileStates::before_opening(const Policy& policy, const std::string& database) {
  FileStates states;
  if (!needs_states(policy)) return states;
  if (!database.empty()) states.database_ = note({database, database + ".wal"});
  for (const TablePolicy& table : policy.tables) {
    if (!table.source) continue;
    states.sources_[table.name.name] =
        note({std::filesystem::absolute(policy.resolve(*table.source)).lexically_normal().string()});
  }
  return states;
}

std::string FileStates::of_source(const std::string& table) const {
  const auto found = sources_.find(table);
  return found == sources_.end() ? "" : state_now(found->second);
}

std::string FileStates::of_database() const { return state_now(database_); }

}  // namespace tacit::duckdb_engine
