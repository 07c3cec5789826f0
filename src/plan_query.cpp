#include "plan_query.hpp"

#include <fmt/format.h>

#include <cmath>

#include "answer_memory.hpp"
#include "base/check.hpp"
#include "base/nearest_name.hpp"
#include "base/work_limit.hpp"
#include "declared_keys.hpp"
#include "mechanism/choose_mechanism.hpp"
#include "rewrite/private_statement.hpp"
#include "rewrite/public_statements.hpp"
#include "sensitivity/analyze.hpp"
#include "sql/bind.hpp"
#include "sql/parse.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_columns = 1'600;  // PostgreSQL's limit is 1,664

// The command line's word wins over OPTIONS(...), which wins over the policy's default.
Result<Epsilon> choose_epsilon(const Policy& policy, const Question& question, const QueryOptions& options) {
  const Epsilon epsilon = question.epsilon.value_or(options.epsilon.value_or(policy.defaults.epsilon));
  const FailureCode code = question.epsilon || !options.epsilon ? FailureCode::usage : FailureCode::refused;
  const auto wrong = [&](std::string what) {
    return fail({code, std::move(what), policy.path,
                 fmt::format("ask for an epsilon from {} to {}", policy.defaults.epsilon_min.value(),
                             policy.defaults.epsilon_max.value())});
  };
  if (!std::isfinite(epsilon.value()) || epsilon.value() <= 0.0) return wrong("epsilon must be a number above 0");
  if (epsilon < policy.defaults.epsilon_min) return wrong("epsilon is below the least price of a query, epsilon_min");
  if (epsilon > policy.defaults.epsilon_max)
    return wrong("epsilon is above epsilon_max, the most one query may ask for");
  return epsilon;
}

Status check_delta(const Question& question, const QueryOptions& options) {
  const std::optional<Delta> delta = question.delta ? question.delta : options.delta;
  if (!delta) return {};
  if (std::isfinite(delta->value()) && delta->value() >= 0.0 && delta->value() < 1.0) return {};
  return fail({question.delta ? FailureCode::usage : FailureCode::refused, "delta must be a number from 0 to below 1",
               "", "leave delta out: the rows model needs none"});
}

Result<PlannedQuery> plan_within_limit(const Policy& policy, const Catalog& catalog, const Dialect& dialect,
                                       const Question& question) {
  TACIT_TRY(const ParseTree tree, parse_sql(question.sql));
  TACIT_TRY(TypedQuery typed, bind_query(tree, catalog, policy));
  TACIT_TRY(const Epsilon epsilon, choose_epsilon(policy, question, typed.options));
  TACIT_TRY_STATUS(check_delta(question, typed.options));
  const std::optional<Delta> options_delta = typed.options.delta;
  TACIT_TRY(AnalyzedQuery analyzed, analyze(std::move(typed), policy));

  PlannedQuery planned;
  planned.answer_memory = policy.engine.memory_bytes.value_or(default_answer_memory);
  const Delta delta = question.delta.value_or(options_delta.value_or(policy.defaults.delta));
  TACIT_TRY(planned.mechanism, choose_mechanism(std::move(analyzed), {epsilon, delta, policy.metric_noise}));
  planned.engine_query = private_statement(planned.mechanism, dialect);
  if (planned.engine_query.keys.size() + planned.engine_query.cell_scales.size() > most_columns) {
    return refuse(fmt::format("the query needs more than {} columns of the engine", most_columns),
                  "ask for fewer aggregates at once; an average counts twice");
  }
  for (const auto& domain : planned.mechanism.analyzed.domains) {
    if (const auto* keys = std::get_if<PublicKeys>(&domain))
      planned.domain_queries.push_back(domain_statement(*keys, dialect));
  }
  for (const auto& key : planned.mechanism.analyzed.assumed_keys) {
    planned.key_checks.push_back(key_check_statement(key, dialect));
  }
  for (const auto& dependency : planned.mechanism.analyzed.assumed_dependencies) {
    planned.dependency_checks.push_back(dependency_check_statement(dependency, dialect));
  }
  for (const auto& bound : planned.mechanism.analyzed.work) {
    auto& counts = planned.work_counts.emplace_back();
    for (const auto& factor : bound.factors) counts.push_back(count_statement(factor, dialect));
  }
  return planned;
}

}  // namespace

tl::unexpected<Failure> refuse_too_much_work() {
  return refuse("the query is too large to analyse: it has too many or too deeply nested parts",
                "ask for fewer aggregates at once, and write shorter lists and expressions");
}

Result<PlannedQuery> plan_query(const Policy& policy, const Catalog& catalog, const Dialect& dialect,
                                const Question& question) try {
  const WorkLimit limit;
  auto planned = plan_within_limit(policy, catalog, dialect, question);
  if (!planned) return fail(placed_in(question.sql, std::move(planned).error()));
  return planned;
} catch (const TooMuchWork&) {
  return refuse_too_much_work();
}

Result<PlannedQuery> plan_query(const OpenedPolicy& opened, const Question& question) {
  TACIT_TRY(const Catalog catalog, with_verified_keys(*opened.policy, opened.catalog, *opened.engine, opened.ledger));
  return plan_query(*opened.policy, catalog, opened.engine->dialect(), question);
}

Result<std::string> choose_analyst(const Policy& policy, const Question& question) {
  const auto& analysts = policy.budget.analysts;
  if (!question.analyst) {
    if (analysts.size() == 1) return analysts.begin()->first;
    return fail(
        {FailureCode::usage, "the policy lists several analysts", policy.path, "say which one asks with --analyst"});
  }
  if (analysts.contains(*question.analyst)) return *question.analyst;
  std::vector<std::string> names;
  for (const auto& [name, allowance] : analysts) names.push_back(name);
  return fail(
      {FailureCode::usage,
       fmt::format("the policy lists no analyst `{}`{}", *question.analyst, did_you_mean(*question.analyst, names)),
       policy.path, "use a name from [budget.analysts], or add one there"});
}

}  // namespace tacit
