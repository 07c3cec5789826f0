#include "support/plain_duckdb.hpp"

#include <gtest/gtest.h>

namespace tacit::testing {

PlainDuckDb::PlainDuckDb(const std::string& file) {
  EXPECT_EQ(duckdb_open(file.c_str(), &database_), DuckDBSuccess) << file;
  EXPECT_EQ(duckdb_connect(database_, &connection_), DuckDBSuccess) << file;
}

PlainDuckDb::~PlainDuckDb() {
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
}

PlainDuckDb::Answer PlainDuckDb::ask(const std::string& sql) {
  Answer answer;
  duckdb_result result{};
  if (duckdb_query(connection_, sql.c_str(), &result) != DuckDBSuccess) {
    const char* error = duckdb_result_error(&result);
    answer.error = error != nullptr && *error != '\0' ? error : "an error without words";
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

std::vector<std::vector<std::string>> PlainDuckDb::rows(const std::string& sql) {
  std::vector<std::vector<std::string>> table;
  const Answer answer = ask(sql);
  if (!answer.error.empty()) ADD_FAILURE() << answer.error << "\n" << sql;
  for (const auto& row : answer.cells) {
    auto& cells = table.emplace_back();
    for (const auto& cell : row) cells.push_back(cell.value_or("NULL"));
  }
  return table;
}

}  // namespace tacit::testing
