#pragma once

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// The rows model: each row of a private table is one secret. Neighbouring databases differ by one row of one table
// added or removed, or by one row replaced, as the policy says; public tables are the same in both.
//
// Preconditions, checked in this order:
//   1. the private tables have the same neighbour relation;
//   2. every private row takes part in at most one row of the joined relation, where one private table is read once
//      (join_once.hpp); else in at most as many as keys and dependencies prove (counting/bound_join.hpp);
//   3. every group key has a public, finite domain (group_domains.hpp);
//   4. every aggregate is a sum with a stated bound on one row's contribution (aggregate_bound.hpp).
// Where a private row takes part once and 3 or 4 does not hold, the releases of the users model answer, for which a row
// is a person (rows_as_users.hpp).
// Proof: analyze_rows.md.
Result<AnalyzedQuery> analyze_rows(TypedQuery query);

}  // namespace tacit
