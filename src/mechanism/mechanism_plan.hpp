#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

struct SmoothPlan;  // sensitivity/metric/smooth_plan.hpp
struct UsersPlan;   // mechanism/users/users_plan.hpp

enum class NoiseLaw {
  geometric,      // P(k) proportional to exp(-|k| epsilon / sensitivity) on the integers: mechanism/geometric.md
  laplace,        // density proportional to exp(-|y| epsilon / sensitivity), the sum rounded to the grid:
                  // mechanism/laplace.md
  power_laplace,  // the smallest noise for a bound that moves with the data: mechanism/power_laplace.md
  gen_cauchy,     // density proportional to 1 / (1 + y^4): mechanism/gen_cauchy.md
  student_t,      // 3 degrees of freedom: mechanism/student_t.md
  gaussian,       // normal, the sum rounded to the grid: mechanism/users/gaussian.md
  exponential,    // a choice among public values, weighted by rank: mechanism/users/rank_weights.md
  laplace_delta,  // Laplace for a bound that moves with the data, with a delta: mechanism/laplace_delta.md
};
const char* name_of(NoiseLaw law);  // "geometric", "power-laplace", ...

// The noise of one cell of the metric model: f + (c / b) * Y, c either one number for every database or what the engine
// computes beside f, in units of the answer.
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

// The noise of every engine cell of one aggregate. Scale = sensitivity_units / epsilon grid units.
struct AggregatePlan {
  NoiseLaw law = NoiseLaw::laplace;
  Epsilon epsilon;               // this aggregate's share
  Int128 sensitivity_units = 0;  // l1, upper bound, in units of the aggregate's grid; > 0
  std::size_t first_cell = 0;    // index of its first engine cell
  std::size_t cells = 1;         // average takes two, others one
  // Metric model: one a cell, and everything above but first_cell and cells is unused.
  std::vector<MetricNoise> metric = {};
  // MIN and MAX of the metric model: the engine cell that is 1 where they have no row to choose from, else 0. Which
  // rows count is public there.
  std::optional<std::size_t> empty_cell = {};
};

struct Alternative {
  std::string name;
  double expected_error = 0.0;  // half-width of the 95% interval, in units of the answer
  std::string why_not;
};

// The noise that turns the analysed bounds into the guarantee. Chosen from public facts only.
struct MechanismPlan {
  AnalyzedQuery analyzed;
  Epsilon epsilon;  // of the whole query: the shares never add up to more
  Delta delta;
  std::vector<AggregatePlan> aggregates;
  std::vector<Alternative> alternatives;
  // Users model: then `aggregates` is empty.
  std::shared_ptr<const UsersPlan> users = nullptr;
  // Metric model.
  std::shared_ptr<const SmoothPlan> smooth = nullptr;
  double eta = 0.0;  // a loss on top of epsilon times the distance, from rounding (choose_metric.md); 0: none
  std::string why;   // why these laws, for people
};

// What the ledger charges: epsilon, and what rounding adds to the loss (choose_metric.md). Rounded up.
Epsilon price_of(const MechanismPlan& plan);

}  // namespace tacit
