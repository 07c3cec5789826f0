#pragma once

#include <array>
#include <vector>

#include "base/result.hpp"
#include "sensitivity/metric/metric_analysis.hpp"
#include "sql/aggregate.hpp"

namespace tacit {

// The numbers that the calculus bounds, over the rows that the query's conditions and the aggregate's own FILTER keep.
// Refuse what has no bound.
class MetricCells {
 public:
  MetricCells() = default;
  MetricCells(const MetricCells&) = delete;
  MetricCells& operator=(const MetricCells&) = delete;
  virtual ~MetricCells() = default;

  virtual Result<MetricCell> sum(const ExprPtr& value, int position) const = 0;
  virtual Result<MetricCell> count(const ExprPtr& counted, int position) const = 0;  // null: rows
  virtual Result<MetricCell> extremum(MetricCell::Kind kind, const ExprPtr& value, int position) const = 0;
};

// One aggregate of the metric model: which cells it is made from, each with a bound and noise of its own. One file in
// aggregates/ each; its release is in noise/metric/aggregates/.
class MetricStatistic {
 public:
  MetricStatistic() = default;
  MetricStatistic(const MetricStatistic&) = delete;
  MetricStatistic& operator=(const MetricStatistic&) = delete;
  virtual ~MetricStatistic() = default;

  virtual bool answers(AggregateKind kind) const = 0;  // no two statistics the same
  virtual Result<std::vector<MetricCell>> cells(const Aggregate& aggregate, const MetricCells& build) const = 0;
};

const MetricStatistic& metric_count();
const MetricStatistic& metric_sum();
const MetricStatistic& metric_average();
const MetricStatistic& metric_extremum();  // MIN and MAX

// All of them. noise/metric/metric_releases.hpp has a release for each, or does not compile.
inline constexpr auto metric_statistics = std::to_array<const MetricStatistic& (*)()>({
    metric_count,
    metric_sum,
    metric_average,
    metric_extremum,
});

// Null where the metric model has none for it.
const MetricStatistic* find_metric_statistic(AggregateKind kind);

}  // namespace tacit
