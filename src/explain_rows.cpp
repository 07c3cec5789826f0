#include "explain_model.hpp"
#include "mechanism/rows/choose_rows.hpp"

namespace tacit {

void explain_rows(const MechanismPlan& plan, Explanation& explanation) {
  for (const auto& output : plan.analyzed.query.outputs) {
    if (output.kind != OutputColumn::Kind::aggregate) continue;
    const RowsAggregatePlan& aggregate = plan_of<RowsPlan>(plan).aggregates[output.index];
    const double step = step_of(analysis_of<RowsAnalysis>(plan.analyzed).aggregates[output.index].grid);
    const auto& shown = analysis_of<RowsAnalysis>(plan.analyzed).aggregates[output.index].lower;
    const auto lower = shown ? std::optional(static_cast<double>(*shown)) : std::nullopt;
    const double sensitivity = static_cast<double>(aggregate.sensitivity_units) * step;
    explanation.errors.push_back({.column = output.name,
                                  .mechanism = name_of(aggregate.law),
                                  .epsilon = aggregate.epsilon,
                                  .sensitivity = sensitivity,
                                  .scale = sensitivity / aggregate.epsilon.value(),
                                  .median = noise_quantile(aggregate, 0.5) * step,
                                  .p95 = noise_quantile(aggregate, 0.95) * step,
                                  .of_the_parts = aggregate.cells > 1,
                                  .lower = lower});
  }
}

}  // namespace tacit
