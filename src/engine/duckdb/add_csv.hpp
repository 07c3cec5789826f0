#pragma once

#include "base/result.hpp"
#include "engine/duckdb/connection.hpp"
#include "engine/duckdb/source_table.hpp"

namespace tacit::duckdb_engine {

Status add_csv(Connection& connection, const SourceTable& source);

}  // namespace tacit::duckdb_engine
