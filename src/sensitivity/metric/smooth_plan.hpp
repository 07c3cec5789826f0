#pragma once

#include "base/units.hpp"
#include "sensitivity/metric/metric_analysis.hpp"

namespace tacit {

// The bound towards one role with every rate given, and how the engine is to compute it.
struct SmoothRole {
  std::size_t role = 0;
  BoundPtr bound;  // of one join row; keyed: of one row of the role
  // grouped: bounds are taken of many rows at once; keyed: added up per row of the role; each_row: row by row.
  enum class Level { grouped, keyed, each_row } level = Level::grouped;
  std::vector<ExprPtr> key;
  NormExponent rows_combine;  // l1: the greatest over rows; else their dual norm
};

// Towards one engine cell.
struct SmoothCell {
  double constant = 0.0;    // no database exceeds it; infinity where there is no such number
  bool is_constant = true;  // use it: the noise is Laplace, and nothing more is asked of the engine
  std::vector<SmoothRole> roles;
  double least = 0.0;     // c0: the bound is never below (docs/theory/sampling.md, "The floor of the bound")
  double jump = 0.0;      // n q0: how far rounding of doubles can move the sum at distance 0; 0 for exact sums
  double rounding = 0.0;  // rho: relative error of the bound as the engine computes it
};

struct SmoothPlan {
  std::vector<SmoothCell> cells;
  std::vector<ExprPtr> positions;  // grouped by before anything is bounded: few values, and bounds decay with them
};

// Which bound a cell gets where one number bounds every database. `automatic`, from public facts only:
//   MIN, MAX and counts over joins: that number, which data usually attains;
//   counts of one table under a public filter, and sums: the smooth bound, where it can fall below half of the number
//   (a smooth bound needs about a fifth more noise when it does not fall).
enum class BoundChoice { automatic, constant, smooth };

// Refuses where the bound could leave the doubles for something a column may hold (bound_sql.hpp).
// Per cell: `steps` of the grids, negative for doubles, and the smoothness `betas`.
Result<SmoothPlan> plan_smooth_bounds(const MetricAnalysis& analysis, const std::vector<double>& steps,
                                      const std::vector<Beta>& betas, BoundChoice choice);

}  // namespace tacit
