#pragma once

#include <memory>
#include <optional>

#include "base/int128.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "noise/sampling/random_words.hpp"

namespace tacit {

// The noise of one aggregate's cells, in units of its grid: independent at every call.
class CellNoise {
 public:
  virtual ~CellNoise() = default;
  virtual Int128 add_to(Int128 exact, RandomWords& words) const = 0;

  // A width h with P(|released - exact| <= h) >= coverage, 0 < coverage < 1.
  virtual Int128 half_width(double coverage) const = 0;
};

// The noise of one cell of the metric model, on its grid. `log_bound`: what the engine computed for c, round(2^40 ln
// c); not read where c is constant.
class MetricCellNoise {
 public:
  virtual ~MetricCellNoise() = default;
  virtual Int128 add_to(Int128 exact, Int128 log_bound, RandomWords& words) const = 0;
  // Only where c is constant: else the width is private.
  virtual std::optional<Int128> half_width(double coverage) const = 0;
};
std::unique_ptr<const MetricCellNoise> metric_cell_noise(const MetricNoise& noise);

// c in units of the answer from the engine's cell; at least `noise.least`.
double bound_of(const MetricNoise& noise, Int128 log_bound);

// Preconditions: plan.epsilon positive and finite, plan.sensitivity_units > 0.
std::unique_ptr<const CellNoise> cell_noise(const RowsAggregatePlan& plan);

}  // namespace tacit
