#pragma once

#include "metric/metric.hpp"

namespace tacit {

// One spelling for metrics that are the same function. Two policies mean the same distance when their normal forms are
// equal, however they are written:
//
//   a * N                         the factor goes into the columns: a * lp(x, y) = lp(a * x, a * y)
//   1 * x, 1.50 * x, lp(2; ...)   x, 1.5 * x, l2(...)
//   lp(N)                         N
//   lp(lp(x, y), z)               lp(x, y, z)
//   lp(y, x)                      lp(x, y)
//
// Each step keeps the value for every argument: norms are homogeneous, and sums of p-th powers (or greatest values)
// associate and commute. So a metric and its normal form are equal functions; where a product of factors has more
// digits than a decimal holds, the factor stays where it was.
// Precondition: every column is named once (metric.hpp, 2). A ReadyMetric comes back as it is.
MetricPtr normal_form(const MetricPtr& metric);

// 1.50 as 1.5.
Decimal shortest(Decimal number);

}  // namespace tacit
