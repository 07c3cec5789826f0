#pragma once

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// The users model: who owns each row that reaches the aggregate, how many groups and how much of each a user may touch.
// Adds the joins that lead to the owner to query.input. Refuses every operator that is not on the list of
// ownership.hpp.
Result<AnalyzedQuery> analyze_users(TypedQuery query, const Policy& policy);

}  // namespace tacit
