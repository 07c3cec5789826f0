#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "noise/metric/metric_releases.hpp"
#include "sensitivity/metric/metric_statistic.hpp"

namespace tacit {
namespace {

struct ReleasedStatistic {
  const MetricStatistic& (*statistic)();
  std::unique_ptr<const Release> (*release)(const ReleasedMetric& metric);
};

constexpr auto releases = std::to_array<ReleasedStatistic>({
    {metric_count, metric_number_release},
    {metric_sum, metric_number_release},
    {metric_average, metric_average_release},
    {metric_extremum, metric_number_release},
});
static_assert(std::ranges::equal(releases, metric_statistics, {}, &ReleasedStatistic::statistic),
              "every statistic of metric_statistic.hpp has its release, in the same order");

}  // namespace

std::unique_ptr<const Release> metric_release_of(const MechanismPlan& plan, const OutputColumn& output,
                                                 const std::vector<const MetricCellNoise*>& noises) {
  const MetricStatistic* statistic = find_metric_statistic(plan.analyzed.query.aggregates.at(output.index).kind);
  for (const ReleasedStatistic& release : releases) {
    if (&release.statistic() != statistic) continue;
    return release.release({plan_of<MetricPlan>(plan).aggregates.at(output.index), output.type, noises});
  }
  TACIT_CHECK(false, "an aggregate that was analysed has its statistic");
}

}  // namespace tacit
