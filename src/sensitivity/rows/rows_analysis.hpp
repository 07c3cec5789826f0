#pragma once

#include <optional>
#include <vector>

#include "base/int128.hpp"
#include "sensitivity/grid.hpp"

namespace tacit {

// One aggregate with its bound. `lo` and `hi` are one row's contribution in units of the grid (counts: 0 and 1).
struct RowsAggregate {
  Grid grid;
  Int128 lo = 0;
  Int128 hi = 0;
  // Vector-l1 sensitivity over all groups of what the engine returns for it, in units of the grid.
  // average: of the pair (sum of x - lo, sum of hi - x) taken together.
  Int128 l1_sensitivity = 0;
  std::optional<long long> lower = {};  // counts over joins: a database is known where one row moves it so far
};

// The rows model.
struct RowsAnalysis {
  std::vector<RowsAggregate> aggregates;  // one per query.aggregates
};

}  // namespace tacit
