#include "sensitivity/metric/derivative/private_null.hpp"

#include <algorithm>
#include <optional>

#include "base/work_limit.hpp"
#include "sensitivity/metric/derivative/rules/rules.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

using Columns = std::set<const Column*>;

void add(PrivateNulls& to, const PrivateNulls& more) {
  to.discrete.insert(more.discrete.begin(), more.discrete.end());
  to.by_condition = to.by_condition || more.by_condition;
}

// The columns of which one is NULL exactly where the expression is; empty where that is not so simple.
std::optional<Columns> null_columns(const Expr& expr) {
  count_work(4);
  if (never_null(expr)) return Columns{};
  if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) return Columns{ref->column.get()};
  const auto* call = std::get_if<Call>(&expr.node);
  if (!call || call->rule->traits.nulls != Nulls::strict) return std::nullopt;
  Columns columns;
  for (const auto& arg : call->args) {
    const auto of_arg = null_columns(*arg);
    if (!of_arg) return std::nullopt;
    columns.insert(of_arg->begin(), of_arg->end());
  }
  return columns;
}

std::vector<ExprPtr> case_values(const Call& call) {
  std::vector<ExprPtr> values;
  for (std::size_t i = 1; i < call.args.size(); i += 2) values.push_back(call.args[i]);
  if (call.args.size() % 2 == 1) values.push_back(call.args.back());
  return values;
}

bool branches_agree(const Call& call) {
  if (call.args.size() % 2 == 0) return false;  // ELSE NULL
  const auto values = case_values(call);
  const auto first = null_columns(*values.front());
  return first &&
         std::all_of(values.begin(), values.end(), [&](const ExprPtr& value) { return null_columns(*value) == first; });
}

PrivateNulls nulls_of_case(const Call& call, const PrivateColumns& columns) {
  PrivateNulls nulls;
  for (const auto& value : case_values(call)) add(nulls, private_nulls(*value, columns));
  for (std::size_t i = 0; i + 1 < call.args.size(); i += 2) {
    if (reads_private_cell(*call.args[i], columns) && !branches_agree(call)) nulls.by_condition = true;
  }
  return nulls;
}

}  // namespace

PrivateNulls private_nulls(const Expr& expr, const PrivateColumns& columns) {
  count_work(2);
  PrivateNulls nulls;
  if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) {
    const auto found = columns.find(ref->column.get());
    const bool is_discrete = found != columns.end() && found->second.use == MetricColumn::Use::discrete;
    if (is_discrete) nulls.discrete.insert(ref->column.get());
    return nulls;
  }
  const auto* call = std::get_if<Call>(&expr.node);
  if (!call || never_null(expr)) return nulls;
  if (call->rule->traits.nulls == Nulls::of_branch) return nulls_of_case(*call, columns);
  for (const auto& arg : call->args) add(nulls, private_nulls(*arg, columns));
  return nulls;
}

PrivateNulls nulls_that_jump(const Expr& expr, const PrivateColumns& columns) {
  const auto& call = std::get<Call>(expr.node);
  const DerivativeRule* rule = find_derivative_rule(*call.rule);
  PrivateNulls nulls;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (!rule || !rule->keeps_zero(expr, i)) add(nulls, private_nulls(*call.args[i], columns));
  }
  return nulls;
}

bool passes_nulls_on(const Expr& expr) {
  const Nulls nulls = std::get<Call>(expr.node).rule->traits.nulls;
  return nulls == Nulls::strict || nulls == Nulls::propagated || nulls == Nulls::of_branch;
}

tl::unexpected<Failure> refuse_private_null(const Expr& expr) {
  return refuse("private cells decide whether a part of this is NULL, and all of it would come and go with that part",
                "give the CASE an ELSE, and write COALESCE(CASE ... END, 0) where a branch is a column", expr.position);
}

}  // namespace tacit
