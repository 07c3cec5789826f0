#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/value.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "noise/cell_noise.hpp"

namespace tacit {

// How one aggregate column is made from a row of noisy cells. Reads nothing else, so it is post-processing.
class Release {
 public:
  virtual ~Release() = default;
  virtual Value value(std::span<const Int128> cells) const = 0;
  // Contains the exact answer with probability at least 0.95 over the noise; absent when there was none, where its
  // width would be private and where the value is NULL: a group that may be empty (noise/perhaps_empty.hpp).
  virtual std::optional<std::pair<Value, Value>> interval95(std::span<const Int128> cells) const = 0;
};

// `noise`: what was added to the aggregate's cells; null when nothing was (the owner's view).
std::unique_ptr<const Release> release_of(const MechanismPlan& plan, const OutputColumn& output,
                                          const CellNoise* noise);

// Releases of the rows model for cells at given places: a number on its grid, and an average of numbers in [lo, hi]
// from its two sums.
std::unique_ptr<const Release> sum_release(std::size_t cell, const Grid& grid, const SqlType& type,
                                           const CellNoise* noise);
std::unique_ptr<const Release> average_release(std::size_t first_cell, const RowsAggregate& bounds, const SqlType& type,
                                               const CellNoise* noise);

// The same for the metric model; `noises` one a cell of the aggregate, empty for the owner's view. An average is the
// noisy sum over the noisy count, or NULL where that may be 0.
std::unique_ptr<const Release> metric_release_of(const MechanismPlan& plan, const OutputColumn& output,
                                                 const std::vector<const MetricCellNoise*>& noises);

}  // namespace tacit
