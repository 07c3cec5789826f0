#pragma once

#include "metric/metric.hpp"

namespace tacit {

// factor * metric, with a factor that is already there multiplied in where the product is exact. Precondition: factor >
// 0.
MetricPtr scale(const MetricPtr& metric, const Decimal& factor);

}  // namespace tacit
