#pragma once

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// Chooses the analysis of the private table's model. Refuses a query over no private table, over two models, and over
// models whose analysis does not exist yet.
Result<AnalyzedQuery> analyze(TypedQuery query, const Policy& policy);

}  // namespace tacit
