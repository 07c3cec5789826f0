#include "rewrite/private_statement.hpp"

#include "base/overloaded.hpp"
#include "rewrite/metric/metric_statement.hpp"
#include "rewrite/rows/rows_statement.hpp"
#include "rewrite/users/users_statement.hpp"

namespace tacit {

EngineQuery private_statement(const MechanismPlan& plan, const Dialect& dialect, SamplingKey key) {
  return std::visit(Overloaded{[&](const RowsPlan&) { return rows_statement(plan, dialect); },
                               [&](const MetricPlan&) { return metric_statement(plan, dialect); },
                               [&](const UsersPlan&) { return users_statement(plan, dialect, key); }},
                    plan.model);
}

}  // namespace tacit
