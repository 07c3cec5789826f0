#pragma once

#include "mechanism/rows/rows_plan.hpp"
#include "noise/release.hpp"

namespace tacit {

// One aggregate of the rows model, analysed and planned.
struct ReleasedRows {
  const RowsAggregate& bounds;
  const RowsAggregatePlan& plan;
  SqlType type;  // of the answer
};

// The releases of the statistics (sensitivity/rows/rows_statistic.hpp), in aggregates/. Counts are released as sums.
std::unique_ptr<const Release> rows_sum_release(const ReleasedRows& rows, const CellNoise* noise);
std::unique_ptr<const Release> rows_average_release(const ReleasedRows& rows, const CellNoise* noise);

}  // namespace tacit
