#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/type.hpp"

namespace tacit::duckdb_engine {

// What Tacit computes with, from DuckDB's word for a column's type; empty for a type it does not compute with.
// An unsigned integer is one of the next wider signed type, a FLOAT is a real: every stored value is one of that type,
// and whoever computes with a column casts it first (sql/print_expression.hpp, `operand`).
std::optional<SqlType> column_type(std::string_view engine_type);

// DuckDB's word for a type.
std::string engine_word(const SqlType& type);

// For a file's column of a type Tacit does not compute with that has a total cast into one it does: that type's word.
std::optional<std::string_view> usable_cast(std::string_view engine_type);

}  // namespace tacit::duckdb_engine
