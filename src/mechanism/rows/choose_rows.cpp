#include "mechanism/rows/choose_rows.hpp"

#include <cmath>

#include "mechanism/interval_coverage.hpp"
#include "mechanism/laplace.hpp"
#include "mechanism/noise_rule.hpp"
#include "mechanism/share_down.hpp"
#include "sensitivity/rows/rows_statistic.hpp"

namespace tacit {
namespace {

Alternative other_law(NoiseLaw chosen, Epsilon epsilon, const RowsAggregate& bound) {
  const NoiseLaw other = chosen == NoiseLaw::geometric ? NoiseLaw::laplace : NoiseLaw::geometric;
  const Int128 width = step_noise(other).half_width(epsilon, bound.l1_sensitivity, interval_coverage);
  return {name_of(other), static_cast<double>(width) * step_of(bound.grid),
          other == NoiseLaw::laplace ? "its error is never smaller, and at this scale it is not faster to sample"
                                     : "its error is the same at this scale, and it is slower to sample"};
}

}  // namespace

MechanismPlan choose_rows_mechanism(AnalyzedQuery analyzed, Epsilon epsilon) {
  const auto& bounds = analysis_of<RowsAnalysis>(analyzed).aggregates;
  MechanismPlan plan;
  plan.epsilon = epsilon;
  RowsPlan rows;
  const Epsilon share = share_down(epsilon, bounds.size());
  std::size_t next_cell = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const RowsAggregate& bound = bounds[i];
    const double scale = static_cast<double>(bound.l1_sensitivity) / share.value();
    const bool use_laplace = laplace_is_as_good(scale);
    rows.aggregates.push_back({.law = use_laplace ? NoiseLaw::laplace : NoiseLaw::geometric,
                               .epsilon = share,
                               .sensitivity_units = bound.l1_sensitivity,
                               .first_cell = next_cell,
                               .cells = rows_statistic_of(analyzed.query.aggregates[i].kind).cells().size()});
    next_cell += rows.aggregates.back().cells;
    plan.alternatives.push_back(other_law(rows.aggregates.back().law, share, bound));
  }
  plan.model = std::move(rows);
  plan.analyzed = std::move(analyzed);
  return plan;
}

double noise_quantile(const RowsAggregatePlan& plan, double coverage) {
  return static_cast<double>(step_noise(plan.law).half_width(plan.epsilon, plan.sensitivity_units, coverage));
}

}  // namespace tacit
