#include "sensitivity/metric/metric_statistic.hpp"

namespace tacit {
namespace {

class MetricExtremum final : public MetricStatistic {
 public:
  bool answers(AggregateKind kind) const override {
    return kind == AggregateKind::minimum || kind == AggregateKind::maximum;
  }
  Result<std::vector<MetricCell>> cells(const Aggregate& aggregate, const MetricCells& build) const override {
    const bool least = aggregate.kind == AggregateKind::minimum;
    std::vector<MetricCell> cells(1);
    TACIT_TRY(cells[0], build.extremum(least ? MetricCell::Kind::minimum : MetricCell::Kind::maximum,
                                       aggregate.argument, aggregate.position));
    return cells;
  }
};

}  // namespace

const MetricStatistic& metric_extremum() {
  static const MetricExtremum statistic;
  return statistic;
}

}  // namespace tacit
