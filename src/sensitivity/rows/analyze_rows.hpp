#pragma once

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// The rows model: each row of the private table is one secret. Neighbouring databases differ by one row added or
// removed, or by one row replaced, as the table's policy says; public tables are the same in both.
//
// Preconditions, checked in this order:
//   1. exactly one scan of a private table;
//   2. every private row takes part in at most one row of the joined relation (join_once.hpp);
//   3. every aggregate has a stated bound on one row's contribution (aggregate_bound.hpp);
//   4. every group key has a public, finite domain (group_domains.hpp).
// Proof: analyze_rows.md.
Result<AnalyzedQuery> analyze_rows(TypedQuery query);

}  // namespace tacit
