#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "engine/engine.hpp"
#include "policy/policy.hpp"

namespace tacit {

// Opens DuckDB inside this process: over the database file `file` (relative to the policy), or in memory when it is
// empty. In this order: attach the file read-only, make the policy's `source` tables, lock down.
// `spilled_bytes` bounds the temporary files; empty: 90% of the free disk.
Result<OpenedEngine> open_duckdb(const Policy& policy, const std::string& file,
                                 std::optional<std::size_t> spilled_bytes = {});

}  // namespace tacit
