#pragma once

#include <optional>

#include "metric/metric.hpp"

namespace tacit {

// sup N(x)/M(x) over all x, rounded up; infinity where M does not see a column of N. Empty where the two norms group
// their columns in ways that this does not compare, or use a column in different ways (x and ln(x)).
//
//   a N' against M: a times;  N against b M': divided by b.
//   lP(N_i) against lQ(M_i), N_i and M_i over the same columns, r_i = sup N_i/M_i:
//     P >= Q: max r_i;   P < Q: ||(r_i)||_r with 1/r = 1/P - 1/Q (Hoelder).
//
// Both are attained since the parts have no column in common. Parts are regrouped where that is exact: an lP norm of
// several parts is the lP norm of lP norms of some of them.
// Preconditions: both name every column once and are no ReadyMetric.
std::optional<double> largest_ratio(const MetricNode& n, const MetricNode& m);

// The largest alpha with alpha N <= M, rounded down; 0 where there is none above 0, empty as above.
std::optional<double> best_factor(const MetricNode& n, const MetricNode& m);

// Whether N <= M is proved.
bool is_at_most(const MetricNode& n, const MetricNode& m);

}  // namespace tacit
