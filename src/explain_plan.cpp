#include "explain_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "answer_query.hpp"
#include "base/work_limit.hpp"
#include "declared_keys.hpp"
#include "describe_groups.hpp"
#include "describe_soft_conditions.hpp"
#include "list_groups.hpp"
#include "mechanism/choose_mechanism.hpp"
#include "mechanism/users/choose_users.hpp"
#include "mechanism/users/rank_weights.hpp"
#include "mechanism/users/user_parts.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/add_noise.hpp"
#include "noise/users/user_noise.hpp"
#include "rewrite/metric_statement.hpp"
#include "rewrite/private_statement.hpp"
#include "sensitivity/metric/metric_analysis.hpp"

namespace tacit {
namespace {

double step_of(const Grid& grid) {
  return grid.base == Grid::Base::decimal ? std::pow(10.0, -grid.exponent) : std::ldexp(1.0, -grid.exponent);
}

// Where the bound moves with the data only the noise per unit of it is public.
ExpectedError expected_metric_error(const OutputColumn& output, const AggregatePlan& aggregate) {
  const MetricNoise& noise = aggregate.metric.front();
  const double c = noise.constant.value_or(1.0);
  return {.column = output.name,
          .mechanism = name_of(noise.law),
          .epsilon = noise.epsilon,
          .sensitivity = c,
          .scale = c / noise.b,
          .median = metric_noise_magnitude(noise, 0.5) * c,
          .p95 = metric_noise_magnitude(noise, 0.95) * c,
          .of_the_parts = aggregate.cells > 1,
          .per_unit_of_bound = !noise.constant};
}

// Where bounds are inferred the noise is known only with the answer: nothing but the share of epsilon is told before.
ExpectedError expected_users_error(const OutputColumn& output, const MechanismPlan& plan) {
  const UserAggregatePlan& aggregate = plan.users->aggregates[output.index];
  const UserStatistic statistic = plan.analyzed.users->aggregates[output.index].statistic;
  const Epsilon epsilon(aggregate.noise.epsilon.value() + aggregate.bounds_epsilon.value() +
                        aggregate.beyond_epsilon.value());
  ExpectedError error{.column = output.name, .mechanism = name_of(aggregate.noise.law), .epsilon = epsilon};
  error.bounds_inferred = !aggregate.sensitivity.has_value();
  error.of_the_rank = aggregate.noise.law == NoiseLaw::exponential;
  error.of_the_parts = statistic != UserStatistic::total && statistic != UserStatistic::distinct && !error.of_the_rank;
  if (error.bounds_inferred) {
    error.median = aggregate.least_error_median.value_or(0.0);
    error.p95 = aggregate.least_error_p95.value_or(0.0);
    return error;
  }
  error.sensitivity = *aggregate.sensitivity;
  const UsersAnalysis& users = *plan.analyzed.users;
  error.at_least = users.infers_groups;
  const int groups = users.aggregates[output.index].over_all ? 1 : plan.users->groups_per_user;
  error.scale = error.of_the_rank
                    ? rank_scale(aggregate.noise.epsilon, groups, users.aggregates[output.index].value.fraction)
                    : user_noise_scale(aggregate.noise, groups, 1, epsilon_parts(statistic)) * *aggregate.sensitivity;
  error.median = aggregate.error_median.value_or(0.0);
  error.p95 = aggregate.error_p95.value_or(0.0);
  return error;
}

// Which groups of private keys will be shown, before it is paid for.
std::string describe_hiding(const MechanismPlan& plan) {
  const auto half = shown_half_of_the_time(*plan.users);
  if (!half) return "Epsilon is too small to show a group of any size: nothing would be shown.";
  return fmt::format("The groups come from private data: a group of {}{:.0f} people would be shown half of the time.",
                     plan.analyzed.users->infers_groups ? "at least " : "", *half);
}

std::vector<ExpectedError> expected_errors(const MechanismPlan& plan) {
  std::vector<ExpectedError> errors;
  for (const auto& output : plan.analyzed.query.outputs) {
    if (output.kind != OutputColumn::Kind::aggregate) continue;
    if (plan.users) {
      errors.push_back(expected_users_error(output, plan));
      continue;
    }
    const AggregatePlan& aggregate = plan.aggregates[output.index];
    if (!aggregate.metric.empty()) {
      errors.push_back(expected_metric_error(output, aggregate));
      continue;
    }
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

void add_metric_analysis(Engine& engine, const PlannedQuery& planned, const ExactRows& exact, OwnerAnalysis& analysis) {
  std::vector<const MetricNoise*> noises;
  for (const auto& aggregate : planned.mechanism.aggregates) {
    for (const auto& noise : aggregate.metric) noises.push_back(&noise);
  }
  for (const auto& row : reveal_bounds(exact, planned.mechanism)) {
    auto& bounds = analysis.bounds.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      bounds.push_back({row[i].value, row[i].bound, metric_noise_magnitude(*noises[i], 0.5) * row[i].bound,
                        metric_noise_magnitude(*noises[i], 0.95) * row[i].bound});
    }
  }
  for (const auto& cell : planned.mechanism.analyzed.metric->cells) {
    analysis.is_modified = analysis.is_modified || cell.filter->soft != nullptr;
    // Values outside declared bounds are moved to them.
    for (const Column* column : cell.reads) {
      analysis.is_modified = analysis.is_modified || !std::holds_alternative<std::monostate>(column->declared);
    }
  }
  const std::string modified = modified_statement(planned.mechanism, engine.dialect());
  const std::string sensitivity = sensitivity_statement(planned.mechanism, engine.dialect());
  if (!timed(analysis.modified_ms, [&] { return engine.measure(modified); })) analysis.modified_ms = 0.0;
  if (sensitivity.empty()) return;
  if (!timed(analysis.sensitivity_ms, [&] { return engine.measure(sensitivity); })) analysis.sensitivity_ms = 0.0;
}

Result<OwnerAnalysis> analyze_for_owner(Engine& engine, const PlannedQuery& planned) {
  OwnerAnalysis analysis;
  TACIT_TRY(const Snapshot snapshot, Snapshot::begin(engine, planned.engine_query.tables));
  TACIT_TRY(const GroupList groups, list_groups(engine, planned));
  TACIT_TRY(ExactRows exact, timed(analysis.engine_ms, [&] { return engine.run(planned.engine_query); }));
  analysis.exact = reveal_to_owner(exact, planned.mechanism, groups);
  if (planned.mechanism.analyzed.metric) add_metric_analysis(engine, planned, exact, analysis);
  const EngineQuery plain = plain_statement(planned.mechanism.analyzed.query, engine.dialect());
  // The plain statement may overflow where ours cannot; then there is no time to compare with.
  if (!timed(analysis.initial_ms, [&] { return engine.measure(plain.sql); })) analysis.initial_ms = 0.0;
  return analysis;
}

// All but the owner's own view.
Result<Explanation> describe_plan(const OpenedPolicy& opened, const PlannedQuery& planned,
                                  const std::string& analyst) try {
  const WorkLimit limit;
  const MechanismPlan& plan = planned.mechanism;
  Explanation explanation;
  explanation.model = plan.analyzed.neighbours.model;
  explanation.epsilon = plan.epsilon;
  explanation.delta = plan.delta;
  explanation.price = price_of(plan);
  explanation.analyst = analyst;
  const NeighbourRelation& neighbours = plan.analyzed.neighbours;
  explanation.neighbours = neighbours.in_query.empty() ? neighbours.description : neighbours.in_query;
  explanation.sql_initial = plan.analyzed.query.text;
  explanation.sql_engine = planned.engine_query.sql;
  if (plan.analyzed.metric) {
    explanation.sql_modified = modified_statement(plan, opened.engine->dialect());
    explanation.sql_sensitivity = sensitivity_statement(plan, opened.engine->dialect());
    for (const auto& aggregate : plan.aggregates) {
      for (const auto& noise : aggregate.metric) explanation.beta = std::max(explanation.beta, noise.beta);
    }
    explanation.why = plan.why;
    explanation.eta = plan.eta;
  }
  if (plan.users) explanation.why = plan.users->why;
  for (const auto& check : planned.key_checks) explanation.sql_public.push_back(check.sql);
  for (const auto& check : planned.dependency_checks) explanation.sql_public.push_back(check.sql);
  for (const auto& counts : planned.work_counts) {
    for (const auto& count : counts) {
      auto& sql = explanation.sql_public;
      if (std::find(sql.begin(), sql.end(), count.sql) == sql.end()) sql.push_back(count.sql);
    }
  }
  for (const auto& domain : planned.domain_queries) explanation.sql_public.push_back(domain.sql);
  explanation.errors = expected_errors(plan);
  explanation.alternatives = plan.alternatives;
  explanation.derivation = plan.analyzed.derivation;
  explanation.notes = describe_groups(plan.analyzed);
  if (plan.users && plan.analyzed.users->private_keys) explanation.notes.push_back(describe_hiding(plan));
  for (auto& sentence : describe_soft_conditions(plan.analyzed)) explanation.notes.push_back(std::move(sentence));
  for (auto& sentence : describe_declared_keys(plan.analyzed.declared_keys))
    explanation.notes.push_back(std::move(sentence));
  if (std::string untested = opened.engine->version().untested; !untested.empty()) {
    explanation.notes.push_back(std::move(untested));
  }
  return explanation;
} catch (const TooMuchWork&) {
  return refuse_too_much_work();
}

}  // namespace

Result<Explanation> explain_query(OpenedPolicy& opened, const Question& question, bool analyze) {
  TACIT_TRY(const std::string analyst, choose_analyst(*opened.policy, question));
  TACIT_TRY(const PlannedQuery planned, plan_query(opened, question));
  return explain_plan(opened, planned, analyst, analyze);
}

Result<Explanation> explain_plan(OpenedPolicy& opened, const PlannedQuery& planned, const std::string& analyst,
                                 bool analyze) {
  TACIT_TRY(Explanation explanation, describe_plan(opened, planned, analyst));
  const std::string& account = planned.mechanism.analyzed.neighbours.key;
  TACIT_TRY(explanation.remaining, opened.ledger.remaining(analyst, account, counted_in(opened.accounts, account)));
  if (analyze) {
    TACIT_TRY(explanation.analyze, analyze_for_owner(*opened.engine, planned));
  }
  return explanation;
}

}  // namespace tacit
