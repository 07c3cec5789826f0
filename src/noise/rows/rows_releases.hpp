#pragma once

#include <algorithm>
#include <array>

#include "mechanism/rows/rows_plan.hpp"
#include "noise/release.hpp"
#include "sensitivity/rows/rows_statistic.hpp"

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

struct RowsRelease {
  const RowsStatistic& (*statistic)();
  std::unique_ptr<const Release> (*release)(const ReleasedRows& rows, const CellNoise* noise);
};

inline constexpr auto rows_releases = std::to_array<RowsRelease>({
    {rows_count, rows_sum_release},
    {rows_distinct, rows_sum_release},
    {rows_sum, rows_sum_release},
    {rows_average, rows_average_release},
});
static_assert(std::ranges::equal(rows_releases, rows_statistics, {}, &RowsRelease::statistic),
              "every statistic of rows_statistic.hpp has its release, in the same order");

}  // namespace tacit
