#include "explain_plan.hpp"

#include <algorithm>

#include "answer_query.hpp"
#include "base/overloaded.hpp"
#include "base/work_limit.hpp"
#include "choose_price.hpp"
#include "declared_keys.hpp"
#include "describe_groups.hpp"
#include "explain_model.hpp"
#include "list_groups.hpp"
#include "noise/add_noise.hpp"
#include "rewrite/rows/rows_statement.hpp"

namespace tacit {
namespace {

Result<OwnerAnalysis> analyze_for_owner(Engine& engine, const PlannedQuery& planned) {
  OwnerAnalysis analysis;
  TACIT_TRY(const Snapshot snapshot, Snapshot::begin(engine, planned.engine_query.tables));
  TACIT_TRY(const GroupList groups, list_groups(engine, planned));
  TACIT_TRY(ExactRows exact, timed(analysis.engine_ms, [&] { return engine.run(planned.engine_query); }));
  analysis.exact = reveal_to_owner(exact, planned.mechanism, groups);
  std::visit(
      Overloaded{[](const RowsPlan&) {}, [](const UsersPlan&) {},
                 [&](const MetricPlan&) { analyze_metric_for_owner(engine, planned.mechanism, exact, analysis); }},
      planned.mechanism.model);
  const EngineQuery plain = plain_statement(planned.mechanism.analyzed.query, engine.dialect());
  // The plain statement may overflow where ours cannot; then there is no time to compare with.
  if (!timed(analysis.initial_ms, [&] { return engine.measure(plain.sql); })) analysis.initial_ms = 0.0;
  return analysis;
}

// All but the owner's own view.
Result<Explanation> describe_plan(const Connection& connection, const PlannedQuery& planned,
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
  explanation.why = plan.why;
  explanation.eta = plan.eta;
  for (const auto& check : planned.key_checks) explanation.sql_public.push_back(check.sql);
  for (const auto& check : planned.dependency_checks) explanation.sql_public.push_back(check.sql);
  for (const auto& counts : planned.work_counts) {
    for (const auto& count : counts) {
      auto& sql = explanation.sql_public;
      if (std::find(sql.begin(), sql.end(), count.sql) == sql.end()) sql.push_back(count.sql);
    }
  }
  for (const auto& domain : planned.domain_queries) explanation.sql_public.push_back(domain.sql);
  explanation.alternatives = plan.alternatives;
  explanation.derivation = plan.analyzed.derivation;
  explanation.notes = describe_groups(plan.analyzed);
  std::visit(Overloaded{[&](const RowsPlan&) { explain_rows(plan, explanation); },
                        [&](const MetricPlan&) { explain_metric(plan, connection.engine->dialect(), explanation); },
                        [&](const UsersPlan&) { explain_users(plan, explanation); }},
             plan.model);
  for (auto& sentence : describe_declared_keys(plan.analyzed.declared_keys))
    explanation.notes.push_back(std::move(sentence));
  if (std::string untested = connection.engine->version().untested; !untested.empty()) {
    explanation.notes.push_back(std::move(untested));
  }
  return explanation;
} catch (const TooMuchWork&) {
  return refuse_too_much_work();
}

}  // namespace

Result<Explanation> explain_query(Connection& connection, const Question& question, bool analyze) {
  TACIT_TRY(const std::string analyst, choose_analyst(connection.database->policy(), question));
  TACIT_TRY(const PlannedQuery planned, plan_query(connection, question));
  return explain_plan(connection, planned, analyst, analyze);
}

Result<Explanation> explain_plan(Connection& connection, const PlannedQuery& planned, const std::string& analyst,
                                 bool analyze) {
  TACIT_TRY(Explanation explanation, describe_plan(connection, planned, analyst));
  const std::string& account = planned.mechanism.analyzed.neighbours.key;
  TACIT_TRY(explanation.remaining, connection.database->ledger().remaining(
                                       analyst, account, counted_in(connection.database->accounts(), account)));
  if (analyze) {
    TACIT_TRY(explanation.analyze, analyze_for_owner(*connection.engine, planned));
  }
  return explanation;
}

}  // namespace tacit
