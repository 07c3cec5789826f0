#pragma once

#include "mechanism/mechanism_plan.hpp"
#include "rewrite/engine_query.hpp"
#include "sql/dialect.hpp"

namespace tacit {

// The users model in one statement: what each user says in each group, at most k groups a user, clamped, added up over
// users. Its rows are those of sensitivity/users/users_cells.hpp. Proof: users_statement.md.
EngineQuery users_statement(const MechanismPlan& plan, const Dialect& dialect, SamplingKey key);

}  // namespace tacit
