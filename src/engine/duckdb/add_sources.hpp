#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/duckdb/connection.hpp"
#include "policy/policy.hpp"

namespace tacit::duckdb_engine {

// Makes every policy table with a `source` a table of the default schema of `database`, and returns the files that must
// stay readable after the lock-down.
//
// Parquet: a view. The file carries its own types; a column of a type Tacit does not compute with is not usable.
//
// CSV: loaded once, here, with the declared types. A query that parsed the file would see a different table depending
// on which columns it reads, and could fail on one person's row; so a malformed line or a cell that is not of its
// column's type is refused before any query, by its line and column and never by its content. The header names the
// columns, in any order; columns without a declaration are not there.
//
// Preconditions, refused otherwise:
//   1. the name has no schema, or the default one; 2. the database has no table of that name; 3. the file is named
//   .parquet, .csv or .csv.gz; 4. its path has no wildcard; 5. it is a readable file; 6. CSV: every declared column has
//   a type and is in the header once.
Result<std::vector<std::string>> add_sources(Connection& connection, const Policy& policy, const std::string& database);

}  // namespace tacit::duckdb_engine
