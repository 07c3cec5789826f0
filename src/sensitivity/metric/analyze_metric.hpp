#pragma once

#include "base/result.hpp"
#include "policy/policy.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// The metric model: the owner states a distance between databases that differ in private cells; rows, joins and public
// columns are the same in both. From the query a continuous function of the private cells is made, and a smooth bound
// of its derivative sensitivity (docs/theory/calculus.md, docs/theory/joins.md).
//
// Preconditions, checked in this order:
//   1. the query flattens (flatten_query.hpp): join structure and group keys are public;
//   2. its private conditions soften (soften.hpp);
//   3. every aggregate is SUM, COUNT or AVG of a continuous expression, or MIN or MAX of one without private
//   conditions;
//   4. with GROUP BY, rows combine by l1 and every private row joins into a bounded number of groups.
// Proof: analyze_metric.md.
Result<AnalyzedQuery> analyze_metric(TypedQuery query, const Policy& policy);

}  // namespace tacit
