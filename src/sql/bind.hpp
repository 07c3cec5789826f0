#pragma once

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "policy/policy.hpp"
#include "sql/parse.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// Resolves and types the query against the catalog and the policy. Refuses whatever is not a single aggregate SELECT
// over tables the policy names (docs/sql.md). The policy must outlive the query.
Result<TypedQuery> bind_query(const ParseTree& tree, const Catalog& catalog, const Policy& policy);

}  // namespace tacit
