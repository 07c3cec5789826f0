#pragma once

#include "base/units.hpp"
#include "mechanism/mechanism_plan.hpp"

namespace tacit {

// Divides epsilon among the aggregates in equal shares and gives each the sound law with the least expected error.
// Looks at the query text, the policy and epsilon only. Proof: choose_rows.md.
MechanismPlan choose_rows_mechanism(AnalyzedQuery analyzed, Epsilon epsilon);

// |noise| of one engine cell in grid units is at most this with probability `coverage` (rounded up).
double noise_quantile(const RowsAggregatePlan& plan, double coverage);

}  // namespace tacit
