#pragma once

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "engine/duckdb/connection.hpp"
#include "policy/policy.hpp"

namespace tacit::duckdb_engine {

constexpr const char* default_schema = "main";

// Names, types and constraints of the database's tables and views and of the tables made from `source` files. Reads no
// row.
//   1. A text column with a collation is not usable: equality that ignores case or accents makes a group's key, and
//      whether two rows join, depend on rows elsewhere.
//   2. A view that cannot be read after the lock-down (it reads a file) is left out.
Result<Catalog> read_catalog(Connection& connection);

// Whether the rows of the table are in the attached file and nowhere else: no view, which may read other files or the
// clock, and no generated column.
bool is_stored_table(Connection& connection, const TableName& table);

}  // namespace tacit::duckdb_engine
