#include "sensitivity/rows/rows_statistic.hpp"

namespace tacit {
namespace {

// A row moves the two sums by hi - lo together.
class RowsAverage final : public RowsStatistic {
 public:
  bool answers(AggregateKind kind) const override { return kind == AggregateKind::average; }
  std::vector<RowsCell> cells() const override { return {RowsCell::above_low, RowsCell::below_high}; }
  bool adds_values() const override { return true; }
  Int128 l1_sensitivity(const RowsAggregate& row, RowNeighbour neighbour, bool) const override {
    return (neighbour == RowNeighbour::replace ? 2 : 1) * (row.hi - row.lo);
  }
};

}  // namespace

const RowsStatistic& rows_average() {
  static const RowsAverage statistic;
  return statistic;
}

}  // namespace tacit
