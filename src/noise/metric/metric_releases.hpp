#pragma once

#include "mechanism/metric/metric_plan.hpp"
#include "noise/release.hpp"

namespace tacit {

// One aggregate of the metric model, planned.
struct ReleasedMetric {
  const MetricAggregatePlan& plan;
  SqlType type;                                       // of the answer
  const std::vector<const MetricCellNoise*>& noises;  // one per cell; none for the owner's view
};

// The releases of the statistics (sensitivity/metric/metric_statistic.hpp), in aggregates/. COUNT, SUM, MIN and MAX are
// released as the one number they are.
std::unique_ptr<const Release> metric_number_release(const ReleasedMetric& metric);
std::unique_ptr<const Release> metric_average_release(const ReleasedMetric& metric);

}  // namespace tacit
