#pragma once

#include <map>
#include <string>

#include "metric/metric.hpp"

namespace tacit {

// The dual norm N*(w) = sup { sum_c w_c x_c : N(x) <= 1 } of weights per column, rounded up: how much a linear function
// with these slopes changes per unit of distance. The nested dual: a scale a becomes 1/a, lp becomes lq with 1/p + 1/q
// = 1. A weight of 0 counts as not there; infinity if a weight is infinite or its column is not in the metric.
// Preconditions: 1. `metric` names every column once (the nested dual is the dual only then) and is no ReadyMetric;
// 2. weights are at least 0.
double dual_norm(const MetricNode& metric, const std::map<std::string, double>& weights);

}  // namespace tacit
