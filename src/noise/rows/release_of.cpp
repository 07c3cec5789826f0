#include "base/check.hpp"
#include "noise/rows/rows_releases.hpp"

namespace tacit {

std::unique_ptr<const Release> release_of(const MechanismPlan& plan, const OutputColumn& output,
                                          const CellNoise* noise) {
  TACIT_CHECK(output.kind == OutputColumn::Kind::aggregate, "keys are released as they are");
  const RowsStatistic& statistic = rows_statistic_of(plan.analyzed.query.aggregates.at(output.index).kind);
  const ReleasedRows rows{analysis_of<RowsAnalysis>(plan.analyzed).aggregates.at(output.index),
                          plan_of<RowsPlan>(plan).aggregates.at(output.index), output.type};
  for (const RowsRelease& release : rows_releases) {
    if (&release.statistic() == &statistic) return release.release(rows, noise);
  }
  TACIT_CHECK(false, "a statistic is one of the list");
}

}  // namespace tacit
