#pragma once

#include <algorithm>
#include <array>

#include "mechanism/metric/metric_plan.hpp"
#include "noise/release.hpp"
#include "sensitivity/metric/metric_statistic.hpp"

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

struct MetricRelease {
  const MetricStatistic& (*statistic)();
  std::unique_ptr<const Release> (*release)(const ReleasedMetric& metric);
};

inline constexpr auto metric_releases = std::to_array<MetricRelease>({
    {metric_count, metric_number_release},
    {metric_sum, metric_number_release},
    {metric_average, metric_average_release},
    {metric_extremum, metric_number_release},
});
static_assert(std::ranges::equal(metric_releases, metric_statistics, {}, &MetricRelease::statistic),
              "every statistic of metric_statistic.hpp has its release, in the same order");

}  // namespace tacit
