#pragma once

#include <string>
#include <vector>

#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// What the precision of a column does to the conditions on it, in sentences for the analyst. None for other models, and
// for queries without such a condition.
std::vector<std::string> describe_soft_conditions(const AnalyzedQuery& analyzed);

}  // namespace tacit
