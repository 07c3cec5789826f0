#pragma once

#include "mechanism/mechanism_plan.hpp"
#include "rewrite/engine_query.hpp"
#include "sql/dialect.hpp"

namespace tacit {

// The one statement of a metric query: keys, then the values, then for each cell without a constant bound
// round(2^40 ln c). With group keys its WHERE reads public columns only, and private conditions stand inside
// aggregates, so the rows it returns are public; without them one row comes back. Bounds grow with their statistics, so
// groups are formed first and bounds are computed per group from greatest statistics, never per row where that can be
// avoided.
EngineQuery metric_statement(const MechanismPlan& plan, const Dialect& dialect);

// Its two halves, for explanations: the modified query alone, and the bounds alone (empty when all are constant).
std::string modified_statement(const MechanismPlan& plan, const Dialect& dialect);
std::string sensitivity_statement(const MechanismPlan& plan, const Dialect& dialect);

}  // namespace tacit
