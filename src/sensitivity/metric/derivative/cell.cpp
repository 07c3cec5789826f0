#include "sensitivity/metric/derivative/cell.hpp"

#include <algorithm>
#include <cmath>

#include "base/work_limit.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

PrivateColumn describe(const Role& role, std::size_t index, const Column& column, const MetricColumn& use) {
  PrivateColumn found{index, &column, use.use, step_of_type(column.type), std::nullopt, std::nullopt, nullptr};
  const auto policy = role.table->columns.find(column.name);
  if (policy == role.table->columns.end()) return found;
  found.policy = &policy->second;
  const auto& step = policy->second.step;
  if (step && (!found.type_step || to_double(*step) > *found.type_step)) found.declared_step = step;
  const bool may_be_soft = use.use == MetricColumn::Use::plain && column.type.kind == TypeKind::real;
  if (may_be_soft) found.precision = policy->second.precision;
  return found;
}

bool is_null_test(const Call& call) {
  const Meaning meaning = call.rule->traits.meaning;
  return meaning == Meaning::is_null || meaning == Meaning::is_not_null;
}

}  // namespace

std::optional<double> step_of_type(const SqlType& type) {
  switch (type.kind) {
    case TypeKind::integer:
    case TypeKind::date: return 1.0;
    case TypeKind::decimal: return std::pow(10.0, -type.scale);
    case TypeKind::timestamp: return 1e-6;
    default: return std::nullopt;
  }
}

PrivateColumns private_columns(const std::vector<Role>& roles) {
  PrivateColumns columns;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (!roles[i].metric) continue;
    const auto measured = columns_of(*roles[i].metric->metric);
    for (const auto& column : roles[i].scan->columns) {
      const auto use = std::find_if(measured.begin(), measured.end(),
                                    [&](const MetricColumn& m) { return m.column == column->name; });
      const auto& shown = roles[i].metric->public_columns;
      if (use == measured.end() || std::find(shown.begin(), shown.end(), column->name) != shown.end()) continue;
      columns.emplace(column.get(), describe(roles[i], i, *column, *use));
    }
  }
  return columns;
}

bool reads_private_cell(const Expr& expr, const PrivateColumns& columns) {
  count_work();
  if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) return columns.contains(ref->column.get());
  const auto* call = std::get_if<Call>(&expr.node);
  if (!call) return false;
  if (is_null_test(*call)) {
    if (const auto* ref = std::get_if<ColumnRef>(&call->args[0]->node)) {
      const auto found = columns.find(ref->column.get());
      return found != columns.end() && found->second.use == MetricColumn::Use::discrete;
    }
  }
  return std::any_of(call->args.begin(), call->args.end(),
                     [&](const ExprPtr& arg) { return reads_private_cell(*arg, columns); });
}

std::vector<const PrivateColumn*> private_columns_read(const Expr& expr, const PrivateColumns& columns) {
  std::vector<const PrivateColumn*> read;
  for (const auto& column : columns_read(expr)) {
    const auto found = columns.find(column.get());
    if (found != columns.end()) read.push_back(&found->second);
  }
  return read;
}

}  // namespace tacit
