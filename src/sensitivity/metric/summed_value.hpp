#pragma once

#include "sensitivity/analyzed_query.hpp"
#include "sensitivity/metric/metric_analysis.hpp"

namespace tacit {

// The value of one row as it is summed: an exact number of at most 18 digits (beyond them it is clamped, which never
// makes it steeper), or a double with stated bounds. Refuses what can be neither.
Result<ExprPtr> summed_value(const ExprPtr& value, const SoftFilter& filter, int position);

// value * ramp; `value` null: the ramp itself. REQUIRES filter.soft.
Result<ExprPtr> ramped_value(const ExprPtr& value, const SoftFilter& filter);

// The grid on which the cell is released.
Grid grid_of(const MetricCell& cell);

}  // namespace tacit
