#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/units.hpp"
#include "mechanism/noise_law.hpp"
#include "sensitivity/grid.hpp"
#include "sensitivity/metric/smooth_plan.hpp"

namespace tacit {

// The noise of one cell: f + (c / b) * Y, c either one number for every database or what the engine computes beside f,
// in units of the answer.
struct MetricNoise {
  NoiseLaw law = NoiseLaw::laplace;
  Epsilon epsilon;                        // of this output, per unit of distance
  Beta beta;                              // smoothness of c; 0 when it is constant
  double b = 1.0;                         // laplace: epsilon; power-laplace: 1
  double least = 0.0;                     // c is never below this
  std::optional<double> constant;         // c for every database
  std::optional<std::size_t> bound_cell;  // else the engine cell with round(2^40 ln c)
  Grid grid;                              // of the value's cell
};

struct MetricAggregatePlan {
  std::size_t first_cell = 0;       // index of its first engine cell
  std::vector<MetricNoise> noises;  // one per cell of its statistic
  // MIN and MAX: the engine cell that is 1 where they have no row to choose from, else 0. Which rows count is public.
  std::optional<std::size_t> empty_cell = {};
};

struct MetricPlan {
  std::vector<MetricAggregatePlan> aggregates;
  SmoothPlan smooth;
};

}  // namespace tacit
