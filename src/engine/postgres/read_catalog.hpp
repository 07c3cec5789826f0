#pragma once

#include <map>
#include <vector>

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "engine/postgres/column_type.hpp"
#include "engine/postgres/connection.hpp"
#include "policy/table_name.hpp"

namespace tacit::postgres_engine {

struct KnownTable {
  CatalogTable table;
  std::vector<StoredType> stored;  // of its columns
  bool takes_lock = false;         // LOCK TABLE works for this role
  Oid number = 0;                  // another one when the table was made again

  bool is_same_definition(const KnownTable& other) const {
    return table == other.table && stored == other.stored && takes_lock == other.takes_lock;
  }
};
using KnownTables = std::map<TableName, KnownTable>;

// Names, types and constraints of tables, views, materialized views, partitioned and foreign tables, each with the
// columns the role may read; tables that are closed to it are marked. Not listed: system schemas, temporary tables, and
// partitions, whose rows are those of their parent.
//   1. Keys, NOT NULL and foreign keys are those the server enforces on every row a query of the table reads: none
//   where
//      a table has children of its own (inheritance) or a foreign table among its partitions.
//   2. A table under row-level security is closed: which rows the role sees may depend on other rows.
//   3. Text of a collation other than the database's is compared by bytes: a nondeterministic one identifies different
//      strings, and two different ones cannot be compared at all.
// `only` empty: every table. REQUIRES: a snapshot is under way.
Result<KnownTables> read_catalog(Connection& connection, const std::vector<TableName>& only = {});

}  // namespace tacit::postgres_engine
