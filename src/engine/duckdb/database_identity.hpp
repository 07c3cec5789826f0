#pragma once

#include <string>

#include "policy/policy.hpp"

namespace tacit {

// What the ledger binds itself to. A database file: its place relative to the policy, so that the folder of policy,
// ledger and data can be moved as one; an absolute url that leads out of the folder stays absolute.
//   duckdb:shop.duckdb    duckdb:../data/shop.duckdb    duckdb:/srv/data/shop.duckdb
// In memory: "duckdb:", so that adding a source keeps the ledger. What was spent over other files then still counts.
// `file` is the url without its scheme, empty for an in-memory database.
std::string database_identity(const Policy& policy, const std::string& file);

}  // namespace tacit
