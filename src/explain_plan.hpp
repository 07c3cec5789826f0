#pragma once

#include <string>

#include "answer_query.hpp"
#include "plan_query.hpp"

namespace tacit {

// What the planned query does and costs the analyst. With `analyze` (owner only) it is run, and shown exactly.
Result<Explanation> explain_plan(Connection& connection, const PlannedQuery& planned, const std::string& analyst,
                                 bool analyze);

}  // namespace tacit
