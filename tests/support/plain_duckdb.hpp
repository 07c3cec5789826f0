#pragma once

#include <duckdb.h>

#include <optional>
#include <string>
#include <vector>

namespace tacit::testing {

// A read-write DuckDB, in memory or in a file, for tests that write data themselves.
class PlainDuckDb {
 public:
  explicit PlainDuckDb(const std::string& file = ":memory:");
  PlainDuckDb(const PlainDuckDb&) = delete;
  PlainDuckDb& operator=(const PlainDuckDb&) = delete;
  ~PlainDuckDb();

  struct Answer {
    std::vector<std::vector<std::optional<std::string>>> cells;  // rows, then columns; nothing: NULL
    std::string error;                                           // the engine's; empty: none
  };
  Answer ask(const std::string& sql);

  // An engine error fails the test and prints the statement.
  std::vector<std::vector<std::string>> rows(const std::string& sql);  // NULL as "NULL"
  void run(const std::string& sql) { rows(sql); }
  void run_all(const std::vector<std::string>& statements) {
    for (const std::string& sql : statements) run(sql);
  }

  bool fails(const std::string& sql) { return !ask(sql).error.empty(); }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace tacit::testing
