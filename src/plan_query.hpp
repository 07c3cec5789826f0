#pragma once

#include "answer_query.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "rewrite/engine_query.hpp"

namespace tacit {

// Everything about a question that follows from its text, the policy and the catalog. Nothing was read or spent.
struct PlannedQuery {
  MechanismPlan mechanism;
  EngineQuery engine_query;                           // without its sampling key, which is drawn with the noise
  std::vector<PublicQuery> domain_queries;            // one per PublicKeys among mechanism.analyzed.domains, in order
  std::vector<PublicQuery> key_checks;                // one per assumed key
  std::vector<PublicQuery> dependency_checks;         // one per assumed dependency
  std::size_t answer_memory = 0;                      // bytes that the answer may take (answer_memory.hpp)
  std::vector<std::vector<PublicQuery>> work_counts;  // one per factor of each of mechanism.analyzed.work
};

Result<PlannedQuery> plan_query(const Connection& connection, const Question& question);
// The same from what it rests on (in answer_query.cpp, where all stages are). The work is limited
// (base/work_limit.hpp): a question that needs more is refused.
Result<PlannedQuery> plan_query(const Policy& policy, const Catalog& catalog, const Dialect& dialect,
                                const Question& question);

// The refusal for a question that needs more work than the limit.
tl::unexpected<Failure> refuse_too_much_work();

// The last step of planning: the statements of a plan, in the engine's dialect.
Result<PlannedQuery> print_statements(MechanismPlan plan, const Policy& policy, const Dialect& dialect);

}  // namespace tacit
