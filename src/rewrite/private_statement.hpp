#pragma once

#include "mechanism/mechanism_plan.hpp"
#include "rewrite/engine_query.hpp"
#include "sql/dialect.hpp"

namespace tacit {

// The one statement of a private query, in the form of its model: rows_statement.hpp, metric_statement.hpp,
// users_statement.hpp. Only the users model reads the key.
EngineQuery private_statement(const MechanismPlan& plan, const Dialect& dialect, SamplingKey key = {});

}  // namespace tacit
