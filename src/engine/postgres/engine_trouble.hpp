#pragma once

#include <vector>

#include "base/result.hpp"
#include "engine/postgres/handles.hpp"
#include "policy/table_name.hpp"

namespace tacit::postgres_engine {

// The sentence for a statement that failed, from its SQLSTATE alone. `tables`: what the statement reads.
// REQUIRES: neither cancelled nor timed out, which only who waited can tell.
Failure statement_failure(const EngineError& error, const std::vector<TableName>& tables);

}  // namespace tacit::postgres_engine
