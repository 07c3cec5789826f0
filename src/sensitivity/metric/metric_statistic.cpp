#include "sensitivity/metric/metric_statistic.hpp"

namespace tacit {

const MetricStatistic* find_metric_statistic(AggregateKind kind) {
  for (const auto statistic : metric_statistics) {
    if (statistic().answers(kind)) return &statistic();
  }
  return nullptr;
}

}  // namespace tacit
