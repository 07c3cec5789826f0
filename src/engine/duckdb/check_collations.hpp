#pragma once

#include <vector>

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "engine/duckdb/connection.hpp"

namespace tacit::duckdb_engine {

// Takes the type from every text column with a collation, and drops the tables that cannot be read at all.
Status check_collations(Connection& connection, std::vector<CatalogTable>& tables);

}  // namespace tacit::duckdb_engine
