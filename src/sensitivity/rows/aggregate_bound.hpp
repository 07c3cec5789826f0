#pragma once

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

struct BoundedAggregate {
  RowsAggregate aggregate;
  Derivation derivation;
};

// The l1 sensitivity of one aggregate's vector over all groups when each private row contributes to at most one group
// (join_once.hpp). With one row's contribution in [lo, hi] (0 when it is filtered out or NULL):
//
//                     add-remove            replace, one group           replace, several groups
//   COUNT             1                     1                            2
//   SUM               max(|lo|, |hi|)       max(hi, 0) - min(lo, 0)      2 max(|lo|, |hi|)
//   AVG (two sums)    hi - lo               2 (hi - lo)                  2 (hi - lo)
//
// COUNT(DISTINCT x) is bounded as COUNT: one row adds or removes at most one value in its group. Where a private row
// counts in up to `times` joined rows (or, of COUNT(DISTINCT x), combinations of the keys and x) all are that many
// times as large. Preconditions, checked in this order:
//   1. SUM and AVG: both ends of the argument's range are stated (declared bounds, literals, clamps);
//   2. the range fits 18 digits of the grid, so that no engine sum can overflow.
// Proof: aggregate_bound.md. REQUIRES: the rows model has a statistic for it (rows_statistic.hpp).
Result<BoundedAggregate> bound_aggregate(const Aggregate& aggregate, RowNeighbour neighbour, bool grouped,
                                         long long times = 1);

// The grid on which doubles in [lo, hi] are summed exactly: the finest power of two with at most 2^40 steps to the
// farther end.
Grid real_grid(double lo, double hi);

}  // namespace tacit
