#pragma once

#include <cstddef>
#include <vector>

#include "base/int128.hpp"
#include "base/units.hpp"
#include "mechanism/noise_law.hpp"

namespace tacit {

// The noise of every engine cell of one aggregate. Scale = sensitivity_units / epsilon grid units.
struct RowsAggregatePlan {
  NoiseLaw law = NoiseLaw::laplace;
  Epsilon epsilon;               // this aggregate's share
  Int128 sensitivity_units = 0;  // l1, upper bound, in units of the aggregate's grid; > 0
  std::size_t first_cell = 0;    // index of its first engine cell
  std::size_t cells = 1;         // RowsStatistic::cells
};

struct RowsPlan {
  std::vector<RowsAggregatePlan> aggregates;
};

}  // namespace tacit
