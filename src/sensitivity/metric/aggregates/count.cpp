#include "sensitivity/metric/metric_statistic.hpp"

namespace tacit {
namespace {

class MetricCount final : public MetricStatistic {
 public:
  bool answers(AggregateKind kind) const override {
    return kind == AggregateKind::count_rows || kind == AggregateKind::count;
  }
  Result<std::vector<MetricCell>> cells(const Aggregate& aggregate, const MetricCells& build) const override {
    std::vector<MetricCell> cells(1);
    TACIT_TRY(cells[0], build.count(aggregate.argument, aggregate.position));
    return cells;
  }
};

}  // namespace

const MetricStatistic& metric_count() {
  static const MetricCount statistic;
  return statistic;
}

}  // namespace tacit
