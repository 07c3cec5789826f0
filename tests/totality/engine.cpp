#include "totality/engine.hpp"

#include <gtest/gtest.h>

namespace tacit::totality {

Engine::Engine() {
  EXPECT_EQ(duckdb_open(nullptr, &database_), DuckDBSuccess);
  EXPECT_EQ(duckdb_connect(database_, &connection_), DuckDBSuccess);
  EXPECT_EQ(ask("SET threads = 1").error, "");
}

Engine::~Engine() {
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
}

Engine::Answer Engine::ask(const std::string& sql) {
  Answer answer;
  duckdb_result result;
  if (duckdb_query(connection_, sql.c_str(), &result) == DuckDBError) {
    answer.error = duckdb_result_error(&result);
  } else {
    const idx_t columns = duckdb_column_count(&result);
    for (idx_t row = 0; row < duckdb_row_count(&result); ++row) {
      auto& cells = answer.cells.emplace_back();
      for (idx_t column = 0; column < columns; ++column) {
        char* text = duckdb_value_varchar(&result, column, row);
        cells.push_back(text == nullptr ? std::nullopt : std::optional<std::string>(text));
        duckdb_free(text);
      }
    }
  }
  duckdb_destroy_result(&result);
  return answer;
}

std::string Engine::value(const std::string& sql) {
  const Answer answer = ask(sql);
  EXPECT_EQ(answer.error, "") << sql;
  if (answer.cells.empty() || answer.cells[0].empty()) return "(no row)";
  return answer.cells[0][0].value_or("NULL");
}

}  // namespace tacit::totality
