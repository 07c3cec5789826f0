#include <algorithm>

#include "sensitivity/rows/rows_statistic.hpp"

namespace tacit {
namespace {

class RowsSum final : public RowsStatistic {
 public:
  bool answers(AggregateKind kind) const override { return kind == AggregateKind::sum; }
  std::vector<RowsCell> cells() const override { return {RowsCell::sum}; }
  bool adds_values() const override { return true; }
  Int128 l1_sensitivity(const RowsAggregate& row, RowNeighbour neighbour, bool grouped) const override {
    const Int128 farther = std::max(row.lo < 0 ? -row.lo : row.lo, row.hi < 0 ? -row.hi : row.hi);
    if (neighbour != RowNeighbour::replace) return farther;
    return grouped ? 2 * farther : std::max<Int128>(row.hi, 0) - std::min<Int128>(row.lo, 0);
  }
};

}  // namespace

const RowsStatistic& rows_sum() {
  static const RowsSum statistic;
  return statistic;
}

}  // namespace tacit
