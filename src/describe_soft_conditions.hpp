#pragma once

#include <string>
#include <vector>

#include "sensitivity/metric/metric_analysis.hpp"

namespace tacit {

// What the precision of a column does to the conditions on it, in sentences for the analyst. None for other models, and
// for queries without such a condition.
std::vector<std::string> describe_soft_conditions(const MetricAnalysis& analysis);

}  // namespace tacit
