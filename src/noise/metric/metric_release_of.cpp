#include "base/check.hpp"
#include "noise/metric/metric_releases.hpp"

namespace tacit {

std::unique_ptr<const Release> metric_release_of(const MechanismPlan& plan, const OutputColumn& output,
                                                 const std::vector<const MetricCellNoise*>& noises) {
  const MetricStatistic* statistic = find_metric_statistic(plan.analyzed.query.aggregates.at(output.index).kind);
  for (const MetricRelease& release : metric_releases) {
    if (&release.statistic() != statistic) continue;
    return release.release({plan_of<MetricPlan>(plan).aggregates.at(output.index), output.type, noises});
  }
  TACIT_CHECK(false, "an aggregate that was analysed has its statistic");
}

}  // namespace tacit
