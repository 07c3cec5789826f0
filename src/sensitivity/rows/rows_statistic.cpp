#include "sensitivity/rows/rows_statistic.hpp"

#include "base/check.hpp"

namespace tacit {

const RowsStatistic* find_rows_statistic(AggregateKind kind) {
  for (const auto statistic : rows_statistics) {
    if (statistic().answers(kind)) return &statistic();
  }
  return nullptr;
}

const RowsStatistic& rows_statistic_of(AggregateKind kind) {
  const RowsStatistic* found = find_rows_statistic(kind);
  TACIT_CHECK(found != nullptr, "an aggregate that was analysed has its statistic");
  return *found;
}

}  // namespace tacit
