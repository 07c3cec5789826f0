#include "sensitivity/metric/metric_statistic.hpp"

namespace tacit {
namespace {

class MetricAverage final : public MetricStatistic {
 public:
  bool answers(AggregateKind kind) const override { return kind == AggregateKind::average; }
  Result<std::vector<MetricCell>> cells(const Aggregate& aggregate, const MetricCells& build) const override {
    std::vector<MetricCell> cells(2);
    TACIT_TRY(cells[0], build.sum(aggregate.argument, aggregate.position));
    TACIT_TRY(cells[1], build.count(aggregate.argument, aggregate.position));
    return cells;
  }
};

}  // namespace

const MetricStatistic& metric_average() {
  static const MetricAverage statistic;
  return statistic;
}

}  // namespace tacit
