#pragma once

#include <duckdb.h>

#include <optional>
#include <string>
#include <vector>

namespace tacit::totality {

// One DuckDB in memory, single-threaded. Cells come back as the engine spells them, NULL as nothing.
class Engine {
 public:
  Engine();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  using Cells = std::vector<std::vector<std::optional<std::string>>>;  // rows, then columns
  struct Answer {
    Cells cells;
    std::string error;  // empty: none
  };
  Answer ask(const std::string& sql);
  // One cell of one row; fails the test on an error.
  std::string value(const std::string& sql);

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace tacit::totality
