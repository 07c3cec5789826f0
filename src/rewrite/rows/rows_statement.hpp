#pragma once

#include "mechanism/mechanism_plan.hpp"
#include "rewrite/engine_query.hpp"
#include "sql/dialect.hpp"

namespace tacit {

// The statement of a rows query: keys, then each aggregate's cells in plan order. Every cell is an exact integer in
// units of the aggregate's grid and 0 where SQL would give NULL:
//
//   COUNT(*), COUNT(x), COUNT(DISTINCT x)   themselves
//   SUM(x)                                  SUM(x), doubles as integer multiples of the grid's step
//   AVG(x), x in [lo, hi]                   SUM(x) - lo COUNT(x)  and  hi COUNT(x) - SUM(x)
//
// REQUIRES: the plan's analysis (it proves that no sum overflows).
EngineQuery rows_statement(const MechanismPlan& plan, const Dialect& dialect);

// The same aggregates as the analyst wrote them, in any model, without Tacit's clamps: what the plain database would
// have to do. The owner times it against private_statement. May fail in the engine on overflow.
EngineQuery plain_statement(const TypedQuery& query, const Dialect& dialect);

}  // namespace tacit
