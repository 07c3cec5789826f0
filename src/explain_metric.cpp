#include <algorithm>

#include "describe_soft_conditions.hpp"
#include "explain_model.hpp"
#include "mechanism/metric/choose_metric.hpp"
#include "noise/metric/metric_rows.hpp"
#include "rewrite/metric/metric_statement.hpp"

namespace tacit {
namespace {

// Where the bound moves with the data only the noise per unit of it is public.
ExpectedError expected_metric_error(const OutputColumn& output, const MetricAggregatePlan& aggregate) {
  const MetricNoise& noise = aggregate.noises.front();
  const double c = noise.constant.value_or(1.0);
  return {.column = output.name,
          .mechanism = name_of(noise.law),
          .epsilon = noise.epsilon,
          .sensitivity = c,
          .scale = c / noise.b,
          .median = metric_noise_magnitude(noise, 0.5) * c,
          .p95 = metric_noise_magnitude(noise, 0.95) * c,
          .of_the_parts = aggregate.noises.size() > 1,
          .per_unit_of_bound = !noise.constant};
}

}  // namespace

void explain_metric(const MechanismPlan& plan, const Dialect& dialect, Explanation& explanation) {
  const auto& metric = plan_of<MetricPlan>(plan);
  explanation.sql_modified = modified_statement(plan, dialect);
  explanation.sql_sensitivity = sensitivity_statement(plan, dialect);
  for (const auto& aggregate : metric.aggregates) {
    for (const auto& noise : aggregate.noises) explanation.beta = std::max(explanation.beta, noise.beta);
  }
  for (const auto& output : plan.analyzed.query.outputs) {
    if (output.kind != OutputColumn::Kind::aggregate) continue;
    explanation.errors.push_back(expected_metric_error(output, metric.aggregates[output.index]));
  }
  for (auto& sentence : describe_soft_conditions(analysis_of<MetricAnalysis>(plan.analyzed))) {
    explanation.notes.push_back(std::move(sentence));
  }
}

void analyze_metric_for_owner(Engine& engine, const MechanismPlan& plan, const ExactRows& exact,
                              OwnerAnalysis& analysis) {
  std::vector<const MetricNoise*> noises;
  for (const auto& aggregate : plan_of<MetricPlan>(plan).aggregates) {
    for (const auto& noise : aggregate.noises) noises.push_back(&noise);
  }
  for (const auto& row : reveal_bounds(exact, plan)) {
    auto& bounds = analysis.bounds.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      bounds.push_back({row[i].value, row[i].bound, metric_noise_magnitude(*noises[i], 0.5) * row[i].bound,
                        metric_noise_magnitude(*noises[i], 0.95) * row[i].bound});
    }
  }
  for (const auto& cell : analysis_of<MetricAnalysis>(plan.analyzed).cells) {
    analysis.is_modified = analysis.is_modified || cell.filter->soft != nullptr;
    // Values outside declared bounds are moved to them.
    for (const Column* column : cell.reads) {
      analysis.is_modified = analysis.is_modified || !std::holds_alternative<std::monostate>(column->declared);
    }
  }
  const std::string modified = modified_statement(plan, engine.dialect());
  const std::string sensitivity = sensitivity_statement(plan, engine.dialect());
  if (!timed(analysis.modified_ms, [&] { return engine.measure(modified); })) analysis.modified_ms = 0.0;
  if (sensitivity.empty()) return;
  if (!timed(analysis.sensitivity_ms, [&] { return engine.measure(sensitivity); })) analysis.sensitivity_ms = 0.0;
}

}  // namespace tacit
