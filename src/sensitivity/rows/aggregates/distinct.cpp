#include "sensitivity/rows/rows_statistic.hpp"

namespace tacit {
namespace {

// One row adds or removes at most one value in its group: bounded as COUNT is.
class RowsDistinct final : public RowsStatistic {
 public:
  bool answers(AggregateKind kind) const override { return kind == AggregateKind::count_distinct; }
  std::vector<RowsCell> cells() const override { return {RowsCell::distinct}; }
  bool adds_values() const override { return false; }
  Int128 l1_sensitivity(const RowsAggregate& row, RowNeighbour neighbour, bool grouped) const override {
    return rows_count().l1_sensitivity(row, neighbour, grouped);
  }
};

}  // namespace

const RowsStatistic& rows_distinct() {
  static const RowsDistinct statistic;
  return statistic;
}

}  // namespace tacit
