#include "sensitivity/rows/rows_statistic.hpp"

namespace tacit {
namespace {

class RowsCount final : public RowsStatistic {
 public:
  bool answers(AggregateKind kind) const override {
    return kind == AggregateKind::count_rows || kind == AggregateKind::count;
  }
  std::vector<RowsCell> cells() const override { return {RowsCell::count}; }
  bool adds_values() const override { return false; }
  Int128 l1_sensitivity(const RowsAggregate&, RowNeighbour neighbour, bool grouped) const override {
    return neighbour == RowNeighbour::replace && grouped ? 2 : 1;
  }
};

}  // namespace

const RowsStatistic& rows_count() {
  static const RowsCount statistic;
  return statistic;
}

}  // namespace tacit
