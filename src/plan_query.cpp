#include "plan_query.hpp"

#include <fmt/format.h>

#include "answer_memory.hpp"
#include "declared_keys.hpp"
#include "rewrite/private_statement.hpp"
#include "rewrite/public_statements.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_columns = 1'600;  // PostgreSQL's limit is 1,664

}  // namespace

Result<PlannedQuery> print_statements(MechanismPlan plan, const Policy& policy, const Dialect& dialect) {
  PlannedQuery planned;
  planned.answer_memory = policy.engine.memory_bytes.value_or(default_answer_memory);
  planned.mechanism = std::move(plan);
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

Result<PlannedQuery> plan_query(const Connection& connection, const Question& question) {
  TACIT_TRY(const Catalog catalog, with_verified_keys(connection.database->policy(), connection.database->catalog(),
                                                      *connection.engine, connection.database->ledger()));
  return plan_query(connection.database->policy(), catalog, connection.engine->dialect(), question);
}

tl::unexpected<Failure> refuse_too_much_work() {
  return refuse("the query is too large to analyse: it has too many or too deeply nested parts",
                "ask for fewer aggregates at once, and write shorter lists and expressions");
}

}  // namespace tacit
