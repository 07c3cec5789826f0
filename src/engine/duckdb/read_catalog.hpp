#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "engine/duckdb/connection.hpp"
#include "policy/table_name.hpp"

namespace tacit::duckdb_engine {

constexpr const char* default_schema = "main";
// The database file is attached by a name no schema has: its own would make `x.t` ambiguous in x.duckdb with a schema
// x.
constexpr const char* attached_database = "tacit attached database";
constexpr const char* own_database = "memory";          // where there is no file; `source` tables are in it
constexpr const char* source_database = "tacit files";  // where there is a file: the `source` tables. Its main comes
                                                        // before the file's, which has no table of their names

// Names, types and constraints of the database's tables and views and of the tables made from `source` files. Reads no
// row.
//   1. A text column with a collation is not usable: equality that ignores case or accents makes a group's key, and
//      whether two rows join, depend on rows elsewhere.
//   2. A view that cannot be read after the lock-down (it reads a file) is left out.
//   3. A table whose name a view of the engine has is left out: the engine's would be read.
Result<Catalog> read_catalog(Connection& connection);

// Whether the rows of the table are in the attached file and nowhere else: no view, which may read other files or the
// clock, and no generated column.
bool is_stored_table(Connection& connection, const TableName& table);

// The same of these tables alone, without foreign keys, or the whole catalog when one of them is not found. DuckDB
// makes all of its own views before it lists any table, which takes longer than a small question; looking tables up by
// name does without. Names are those of the file, letter by letter: one that differs in case is another table's
// (docs/policy.md: names without quotes are read in lower case).
// REQUIRES: the schemas are spelled as the file spells them.
struct StoredTable {
  std::string database;  // attached_database, own_database or source_database
  TableName name;        // with its schema
};
Result<Catalog> read_catalog_of(Connection& connection, const std::vector<StoredTable>& tables);

// The engine's own views in the schema main, by how their names begin.
bool is_name_of_the_engine(const TableName& table);

}  // namespace tacit::duckdb_engine
