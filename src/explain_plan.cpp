#include "explain_plan.hpp"

#include <chrono>
#include <cmath>

#include "answer_query.hpp"
#include "describe_groups.hpp"
#include "list_groups.hpp"
#include "mechanism/choose_mechanism.hpp"
#include "noise/add_noise.hpp"
#include "rewrite/private_statement.hpp"

namespace tacit {
namespace {

double step_of(const Grid& grid) {
  return grid.base == Grid::Base::decimal ? std::pow(10.0, -grid.exponent) : std::ldexp(1.0, -grid.exponent);
}

std::vector<ExpectedError> expected_errors(const MechanismPlan& plan) {
  std::vector<ExpectedError> errors;
  for (const auto& output : plan.analyzed.query.outputs) {
    if (output.kind != OutputColumn::Kind::aggregate) continue;
    const AggregatePlan& aggregate = plan.aggregates[output.index];
    const double step = step_of(plan.analyzed.aggregates[output.index].grid);
    const double sensitivity = static_cast<double>(aggregate.sensitivity_units) * step;
    errors.push_back({.column = output.name,
                      .mechanism = name_of(aggregate.law),
                      .epsilon = aggregate.epsilon,
                      .sensitivity = sensitivity,
                      .scale = sensitivity / aggregate.epsilon.value(),
                      .median = noise_quantile(aggregate, 0.5) * step,
                      .p95 = noise_quantile(aggregate, 0.95) * step,
                      .of_the_parts = aggregate.cells > 1});
  }
  return errors;
}

// Runs a statement and gives its result and how long it took.
template <class Run>
auto timed(double& milliseconds, Run run) {
  const auto start = std::chrono::steady_clock::now();
  auto result = run();
  milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

Result<OwnerAnalysis> analyze_for_owner(Engine& engine, const PlannedQuery& planned) {
  OwnerAnalysis analysis;
  TACIT_TRY(const Snapshot snapshot, Snapshot::begin(engine, planned.engine_query.tables));
  TACIT_TRY(const GroupList groups, list_groups(engine, planned));
  TACIT_TRY(ExactRows exact, timed(analysis.engine_ms, [&] { return engine.run(planned.engine_query); }));
  analysis.exact = reveal_to_owner(std::move(exact), planned.mechanism, groups);
  const EngineQuery plain = plain_statement(planned.mechanism.analyzed.query, engine.dialect());
  // The plain statement may overflow where ours cannot; then there is no time to compare with.
  if (!timed(analysis.initial_ms, [&] { return engine.measure(plain.sql); })) analysis.initial_ms = 0.0;
  return analysis;
}

}  // namespace

Result<Explanation> explain_query(OpenedPolicy& opened, const Question& question, bool analyze) {
  TACIT_TRY(const std::string analyst, choose_analyst(*opened.policy, question));
  TACIT_TRY(const PlannedQuery planned, plan_query(opened, question));
  return explain_plan(opened, planned, analyst, analyze);
}

Result<Explanation> explain_plan(OpenedPolicy& opened, const PlannedQuery& planned, const std::string& analyst,
                                 bool analyze) {
  const MechanismPlan& plan = planned.mechanism;
  Explanation explanation;
  explanation.model = plan.analyzed.neighbours.model;
  explanation.epsilon = plan.epsilon;
  explanation.delta = plan.delta;
  explanation.analyst = analyst;
  explanation.neighbours = plan.analyzed.neighbours.description;
  explanation.sql_initial = plan.analyzed.query.text;
  explanation.sql_engine = planned.engine_query.sql;
  for (const auto& check : planned.key_checks) explanation.sql_public.push_back(check.sql);
  for (const auto& domain : planned.domain_queries) explanation.sql_public.push_back(domain.sql);
  explanation.errors = expected_errors(plan);
  explanation.alternatives = plan.alternatives;
  explanation.derivation = plan.analyzed.derivation;
  explanation.notes = describe_groups(plan.analyzed);
  TACIT_TRY(explanation.remaining, opened.ledger.remaining(analyst, plan.analyzed.neighbours.key));
  if (analyze) {
    TACIT_TRY(explanation.analyze, analyze_for_owner(*opened.engine, planned));
  }
  return explanation;
}

}  // namespace tacit
