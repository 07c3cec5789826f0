#pragma once

#include <string>
#include <vector>

#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// Where the answer's groups come from, in sentences for the analyst.
std::vector<std::string> describe_groups(const AnalyzedQuery& analyzed);

}  // namespace tacit
