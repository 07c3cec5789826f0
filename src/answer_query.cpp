#include "answer_query.hpp"

#include "base/check.hpp"
#include "base/work_limit.hpp"
#include "choose_price.hpp"
#include "declared_keys.hpp"
#include "describe_groups.hpp"
#include "describe_intervals.hpp"
#include "explain_plan.hpp"
#include "list_groups.hpp"
#include "mechanism/choose_mechanism.hpp"
#include "noise/add_noise.hpp"
#include "noise/users/sampling_key.hpp"
#include "plan_query.hpp"
#include "rewrite/private_statement.hpp"
#include "sensitivity/analyze.hpp"
#include "sql/bind.hpp"
#include "sql/parse.hpp"

namespace tacit {
namespace {

// A question that ends without an answer stays in the history with its reason.
template <class T>
Result<T> or_record_refusal(Result<T> result, Ledger& ledger, std::int64_t question) {
  if (!result) TACIT_TRY_STATUS(ledger.refused(question, result.error()));
  return result;
}

template <class T>
Result<T> or_record_failure(Result<T> result, Ledger& ledger, const BudgetReservation& reservation) {
  if (!result) TACIT_TRY_STATUS(ledger.failed(reservation, result.error()));
  return result;
}

// The only steps that see private data. A broken invariant here is recorded as a failure of the question like any
// other: it counts towards the lock-out.
Result<NoisyRows> run_privately(Engine& engine, const PlannedQuery& planned, const GroupList& groups) try {
  const auto entropy = system_entropy();
  const SamplingKey key{draw_sampling_key(*entropy)};
  TACIT_TRY(ExactRows exact, engine.run(private_statement(planned.mechanism, engine.dialect(), key)));
  TACIT_TRY_STATUS(check_still_verified(engine, planned.mechanism.analyzed.declared_keys));
  return add_noise(std::move(exact), planned.mechanism, groups, *entropy);
} catch (const InvariantBroken& broken) {
  return fail(
      {FailureCode::bug, broken.what(), "", "this is a bug of Tacit: please report it; the question stays charged"});
}

Charge charge_for(const Connection& connection, const PlannedQuery& planned, const Neighbours& promise,
                  const std::string& analyst) {
  const std::string& kind = planned.mechanism.analyzed.neighbours.key;
  return {analyst,
          account_of(promise),
          describe(promise),
          price_of(planned.mechanism),
          planned.mechanism.delta,
          counted_in(connection.database->accounts(), kind)};
}

// The stages that look at the text, the policy and the catalog alone.
Result<PlannedQuery> plan_within_limit(const Policy& policy, const Catalog& catalog, const Dialect& dialect,
                                       const Question& question) {
  TACIT_TRY(const ParseTree tree, parse_sql(question.sql));
  TACIT_TRY(TypedQuery typed, bind_query(tree, catalog, policy));
  TACIT_TRY(const NoiseWish wish, choose_price(policy, question, typed.options));
  TACIT_TRY(AnalyzedQuery analyzed, analyze(std::move(typed), policy));
  TACIT_TRY(MechanismPlan mechanism, choose_mechanism(std::move(analyzed), wish));
  return print_statements(std::move(mechanism), policy, dialect);
}

Answer answer_of(const PlannedQuery& planned, NoisyRows noisy, const Charge& charge, const Remaining& remaining,
                 std::vector<std::string> account_notes) {
  std::vector<std::string> notes = describe_groups(planned.mechanism.analyzed);
  notes.insert(notes.end(), noisy.notes.begin(), noisy.notes.end());
  for (auto& sentence : describe_intervals(noisy)) notes.push_back(std::move(sentence));
  return {.rows = std::move(noisy),
          .model = planned.mechanism.analyzed.neighbours.model,
          .epsilon = planned.mechanism.epsilon,
          .delta = planned.mechanism.delta,
          .eta = planned.mechanism.eta,
          .spent = {charge.epsilon, charge.delta},
          .remaining = remaining,
          .notes = std::move(notes),
          .account_notes = std::move(account_notes)};
}

}  // namespace

Result<PlannedQuery> plan_query(const Policy& policy, const Catalog& catalog, const Dialect& dialect,
                                const Question& question) try {
  const WorkLimit limit;
  auto planned = plan_within_limit(policy, catalog, dialect, question);
  if (!planned) return fail(placed_in(question.sql, std::move(planned).error()));
  return planned;
} catch (const TooMuchWork&) {
  return refuse_too_much_work();
}

Result<std::variant<Answer, Explanation>> answer_query(Connection& connection, const Question& question) {
  Engine& engine = *connection.engine;
  Ledger& ledger = connection.database->ledger();

  TACIT_TRY(const std::string analyst, choose_analyst(connection.database->policy(), question));
  TACIT_TRY(const std::int64_t id, ledger.asked(analyst, question.sql));
  TACIT_TRY(const PlannedQuery planned, or_record_refusal(plan_query(connection, question), ledger, id));
  if (planned.mechanism.analyzed.query.explain) {
    TACIT_TRY(Explanation explanation, explain_plan(connection, planned, analyst, false));
    return explanation;
  }
  TACIT_TRY(const Snapshot snapshot,
            or_record_refusal(Snapshot::begin(engine, planned.engine_query.tables), ledger, id));
  TACIT_TRY(const GroupList groups, or_record_refusal(list_groups(engine, planned), ledger, id));
  const Neighbours promise = promise_to(*connection.database->accounts(), planned.mechanism.analyzed.neighbours.key,
                                        planned.engine_query.tables);
  const Charge charge = charge_for(connection, planned, promise, analyst);
  TACIT_TRY(const BudgetReservation reservation, or_record_refusal(ledger.reserve(id, charge), ledger, id));
  TACIT_TRY(NoisyRows noisy, or_record_failure(run_privately(engine, planned, groups), ledger, reservation));
  TACIT_TRY(const Remaining remaining, ledger.answered(reservation));
  return answer_of(planned, std::move(noisy), charge, remaining,
                   describe_changes(connection.database->accounts(), promise, reservation.earlier));
}

}  // namespace tacit
