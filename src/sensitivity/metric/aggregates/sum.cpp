#include "sensitivity/metric/metric_statistic.hpp"

namespace tacit {
namespace {

class MetricSum final : public MetricStatistic {
 public:
  bool answers(AggregateKind kind) const override { return kind == AggregateKind::sum; }
  Result<std::vector<MetricCell>> cells(const Aggregate& aggregate, const MetricCells& build) const override {
    std::vector<MetricCell> cells(1);
    TACIT_TRY(cells[0], build.sum(aggregate.argument, aggregate.position));
    return cells;
  }
};

}  // namespace

const MetricStatistic& metric_sum() {
  static const MetricSum statistic;
  return statistic;
}

}  // namespace tacit
