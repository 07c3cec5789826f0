#include "sensitivity/metric/derivative/private_null.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/work_limit.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

using Columns = std::set<const Column*>;

void add(PrivateNulls& to, const PrivateNulls& more) {
  to.discrete.insert(more.discrete.begin(), more.discrete.end());
  to.by_condition = to.by_condition || more.by_condition;
}

bool is_zero_literal(const Expr& expr) {
  if (!is_literal(expr)) return false;
  const Value& value = literal_value(expr);
  if (const auto* exact = std::get_if<Decimal>(&value)) return exact->units == 0;
  const auto* real = std::get_if<double>(&value);
  return real && *real == 0.0;
}

bool contains_zero(const Range& range) {
  if (const auto* exact = std::get_if<ExactRange>(&range)) {
    return exact->lo.value <= Decimal{0, 0} && Decimal{0, 0} <= exact->hi.value;
  }
  const auto* real = std::get_if<RealRange>(&range);
  return real && real->lo.value <= 0.0 && 0.0 <= real->hi.value;
}

// NULL exactly where an argument is.
bool is_strict(const FunctionRule* rule) {
  constexpr std::array strict{&convert_rule, &to_double_rule, &clamp_rule,    &negate_rule,       &abs_rule,
                              &add_rule,     &subtract_rule,  &multiply_rule, &real_product_rule, &days_between_rule};
  return std::find(strict.begin(), strict.end(), rule) != strict.end();
}

// The columns of which one is NULL exactly where the expression is; empty where that is not so simple.
std::optional<Columns> null_columns(const Expr& expr) {
  count_work(4);
  if (never_null(expr)) return Columns{};
  if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) return Columns{ref->column.get()};
  const auto* call = std::get_if<Call>(&expr.node);
  if (!call || !is_strict(call->rule)) return std::nullopt;
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

// NULL taken as 0 gives what SQL gives, NULL taken as 0, and the rule bounds that step like any other.
bool keeps_zero(const Expr& expr, const Call& call, std::size_t arg) {
  const FunctionRule* rule = call.rule;
  if (rule == &convert_rule || rule == &to_double_rule || rule == &negate_rule || rule == &abs_rule ||
      rule == &multiply_rule || rule == &real_product_rule || rule == &case_rule) {
    return true;
  }
  // The rule of a column counts 0 among a discrete column's values.
  if (rule == &clamp_rule) return contains_zero(expr.range) || std::holds_alternative<ColumnRef>(call.args[0]->node);
  if (rule == &divide_rule) return arg == 0;
  if (rule == &power_rule || rule == &pow_rule) {
    const auto* exponent = std::get_if<RealRange>(&call.args[1]->range);
    return arg == 0 && exponent && exponent->lo.value >= 1.0;
  }
  if (rule == &coalesce_rule) {
    return std::all_of(call.args.begin() + 1, call.args.end(), [](const ExprPtr& e) { return is_zero_literal(*e); });
  }
  return false;
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
  if (call->rule == &case_rule) return nulls_of_case(*call, columns);
  for (const auto& arg : call->args) add(nulls, private_nulls(*arg, columns));
  return nulls;
}

PrivateNulls nulls_that_jump(const Expr& expr, const PrivateColumns& columns) {
  const auto& call = std::get<Call>(expr.node);
  PrivateNulls nulls;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (!keeps_zero(expr, call, i)) add(nulls, private_nulls(*call.args[i], columns));
  }
  return nulls;
}

bool leaves_out_nulls(const Expr& expr) {
  const FunctionRule* rule = std::get<Call>(expr.node).rule;
  return rule == &coalesce_rule || rule == &least_rule || rule == &greatest_rule;
}

tl::unexpected<Failure> refuse_private_null(const Expr& expr) {
  return refuse("private cells decide whether a part of this is NULL, and all of it would come and go with that part",
                "give the CASE an ELSE, and write COALESCE(CASE ... END, 0) where a branch is a column", expr.position);
}

}  // namespace tacit
