#pragma once

#include <vector>

#include "base/result.hpp"
#include "engine/postgres/connection.hpp"
#include "engine/postgres/read_catalog.hpp"
#include "policy/table_name.hpp"

namespace tacit::postgres_engine {

// The whole catalog, in the snapshot under way or in one of its own.
Result<KnownTables> read_known_tables(Connection& connection);

// Begins a snapshot in which these tables are as `known` says.
//
//   1. LOCK TABLE takes the locks before there is a snapshot. What the snapshot then says about the tables holds until
//      it ends: every change of a column waits for the lock.
//   2. LOCK TABLE does not work on views, materialized and foreign tables, nor where the role may read single columns
//      only. Such a table is locked by reading no row of it, after the snapshot was taken; a change in between is seen
//      in the table and types that the server then names for its columns. Constraints need no second look: the rows are
//      those of the snapshot, and they kept the constraints that the snapshot shows. Nor does a collation: their text
//      is read by bytes.
Status begin_snapshot(Connection& connection, const KnownTables& known, const std::vector<TableName>& tables);

}  // namespace tacit::postgres_engine
