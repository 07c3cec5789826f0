#pragma once

#include <vector>

#include "base/type.hpp"
#include "base/value.hpp"
#include "engine/duckdb/handles.hpp"
#include "engine/exact_rows.hpp"

namespace tacit::duckdb_engine {

// Every row as values of these types. Integers and decimals never pass through double; a decimal column takes the
// scale of its type; infinite dates and timestamps are NULL.
// REQUIRES: the result has these columns, of these kinds (an invariant of whoever printed the statement).
std::vector<std::vector<Value>> read_values(QueryResult& result, const std::vector<SqlType>& types);

// The keys, then the cells: exact integers of any width, or decimals of these scales, read as their unscaled integers.
// REQUIRES: as above, and no cell is NULL.
ExactRows read_exact_rows(QueryResult& result, const std::vector<SqlType>& keys, const std::vector<int>& cell_scales);

}  // namespace tacit::duckdb_engine
