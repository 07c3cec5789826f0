#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "noise/rows/rows_releases.hpp"
#include "sensitivity/rows/rows_statistic.hpp"

namespace tacit {
namespace {

struct ReleasedStatistic {
  const RowsStatistic& (*statistic)();
  std::unique_ptr<const Release> (*release)(const ReleasedRows& rows, const CellNoise* noise);
};

constexpr auto releases = std::to_array<ReleasedStatistic>({
    {rows_count, rows_sum_release},
    {rows_distinct, rows_sum_release},
    {rows_sum, rows_sum_release},
    {rows_average, rows_average_release},
});
static_assert(std::ranges::equal(releases, rows_statistics, {}, &ReleasedStatistic::statistic),
              "every statistic of rows_statistic.hpp has its release, in the same order");

}  // namespace

std::unique_ptr<const Release> release_of(const MechanismPlan& plan, const OutputColumn& output,
                                          const CellNoise* noise) {
  TACIT_CHECK(output.kind == OutputColumn::Kind::aggregate, "keys are released as they are");
  const RowsStatistic& statistic = rows_statistic_of(plan.analyzed.query.aggregates.at(output.index).kind);
  const ReleasedRows rows{analysis_of<RowsAnalysis>(plan.analyzed).aggregates.at(output.index),
                          plan_of<RowsPlan>(plan).aggregates.at(output.index), output.type};
  for (const ReleasedStatistic& release : releases) {
    if (&release.statistic() == &statistic) return release.release(rows, noise);
  }
  TACIT_CHECK(false, "a statistic is one of the list");
}

}  // namespace tacit
