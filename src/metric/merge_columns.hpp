#pragma once

#include "metric/metric.hpp"

namespace tacit {

// The same distance with every column named once, where that can be written: columns that occur twice among the terms
// of one norm (through factors and through nested norms of the same exponent) become one term,
//
//   l1:   a|x| + b|x|              = (a + b) |x|
//   lp:   ((a|x|)^p + (b|x|)^p)    = ((a^p + b^p)^{1/p} |x|)^p, the root rounded down to 15 digits where it is not
//   exact linf: max(a|x|, b|x|)          = max(a, b) |x|
//
// A smaller distance is the safe direction: it promises more. Metrics without repetition are returned as they are.
// Empty where a column occurs in two different norms or in two uses (x and ln(x)): no norm of this language is equal.
MetricPtr merge_columns(const MetricPtr& metric);  // null: cannot be merged

}  // namespace tacit
