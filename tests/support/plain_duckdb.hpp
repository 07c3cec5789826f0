#pragma once

#include <duckdb.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tacit::testing {

// A read-write DuckDB, in memory or in a file, for tests that write data themselves.
class PlainDuckDb {
 public:
  explicit PlainDuckDb(const std::string& file = ":memory:") {
    EXPECT_EQ(duckdb_open(file.c_str(), &database_), DuckDBSuccess);
    EXPECT_EQ(duckdb_connect(database_, &connection_), DuckDBSuccess);
  }
  PlainDuckDb(const PlainDuckDb&) = delete;
  PlainDuckDb& operator=(const PlainDuckDb&) = delete;
  ~PlainDuckDb() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  // Every cell as text, NULL as "NULL". An engine error fails the test and prints the statement.
  std::vector<std::vector<std::string>> rows(const std::string& sql) {
    duckdb_result result;
    std::vector<std::vector<std::string>> table;
    if (duckdb_query(connection_, sql.c_str(), &result) != DuckDBSuccess) {
      ADD_FAILURE() << duckdb_result_error(&result) << "\n" << sql;
      duckdb_destroy_result(&result);
      return table;
    }
    for (idx_t row = 0; row < duckdb_row_count(&result); ++row) {
      auto& cells = table.emplace_back();
      for (idx_t column = 0; column < duckdb_column_count(&result); ++column) {
        char* text = duckdb_value_varchar(&result, column, row);
        cells.emplace_back(text ? text : "NULL");
        duckdb_free(text);
      }
    }
    duckdb_destroy_result(&result);
    return table;
  }

  void run(const std::string& sql) { rows(sql); }

  bool fails(const std::string& sql) {
    duckdb_result result;
    const bool failed = duckdb_query(connection_, sql.c_str(), &result) != DuckDBSuccess;
    duckdb_destroy_result(&result);
    return failed;
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace tacit::testing
