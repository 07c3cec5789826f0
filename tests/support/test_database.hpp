#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

namespace tacit::testing {

enum class EngineKind { duckdb, postgres };
inline constexpr EngineKind every_engine[] = {EngineKind::duckdb, EngineKind::postgres};

inline std::string name_of(EngineKind kind) { return kind == EngineKind::duckdb ? "duckdb" : "postgres"; }

// An empty database on one of the engines, in a folder of its own for policy and ledger; gone with the object.
class TestDatabase {
 public:
  explicit TestDatabase(EngineKind kind);

  EngineKind kind() const { return kind_; }
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::string url() const;

  // Each statement alone; one that fails fails the test.
  void run(const std::vector<std::string>& statements) const;

  // Writes `text` with this database's url as [engine] in front, and gives the file's path.
  std::string write_policy(const std::string& text) const;

 private:
  EngineKind kind_;
  TemporaryFolder folder_;
  std::string database_;  // PostgreSQL's name of it
};

}  // namespace tacit::testing
