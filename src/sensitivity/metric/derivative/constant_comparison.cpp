#include "sensitivity/metric/derivative/constant_comparison.hpp"

#include <algorithm>

#include "sql/coerce.hpp"
#include "sql/functions/function_rule.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

// Every value of the type is a double of its own: then comparing as doubles is comparing as stored.
bool is_exact_as_double(const SqlType& type) {
  constexpr int most_digits = 15;
  if (type.kind == TypeKind::integer) return type.bits <= 32;
  return type.kind == TypeKind::decimal && type.precision <= most_digits;
}

// Made of constants in ways that never give NULL.
bool is_plain_number(const Expr& expr) {
  const auto* call = std::get_if<Call>(&expr.node);
  if (!call) return never_null(expr);
  const bool keeps = call->rule == &add_rule || call->rule == &subtract_rule || call->rule == &multiply_rule ||
                     call->rule == &negate_rule || call->rule == &convert_rule || call->rule == &to_double_rule;
  return keeps &&
         std::all_of(call->args.begin(), call->args.end(), [](const ExprPtr& arg) { return is_plain_number(*arg); });
}

std::string_view mirrored(std::string_view rule) {
  if (rule == "<") return ">";
  if (rule == "<=") return ">=";
  if (rule == ">") return "<";
  if (rule == ">=") return "<=";
  return rule;
}

}  // namespace

const PrivateColumn* bare_column(const Expr& expr, const Differentiator& differentiator) {
  if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) {
    const auto found = differentiator.columns().find(ref->column.get());
    return found == differentiator.columns().end() ? nullptr : &found->second;
  }
  const auto* call = std::get_if<Call>(&expr.node);
  // A logarithm's column is read within its bounds: beyond them it does not move.
  if (call && call->rule == &clamp_rule) {
    const PrivateColumn* column = bare_column(*call->args[0], differentiator);
    return column && column->use == MetricColumn::Use::logarithm ? column : nullptr;
  }
  if (!call || (call->rule != &convert_rule && call->rule != &to_double_rule)) return nullptr;
  if (call->rule == &to_double_rule && !is_exact_as_double(call->args[0]->type)) return nullptr;
  // As a double a long number is rounded, and compared where its neighbour is.
  const SqlType& inner = call->args[0]->type;
  const bool is_long = inner.kind == TypeKind::decimal ? inner.precision > 15 : inner.bits > 32;
  if (call->rule == &to_double_rule && is_long) return nullptr;
  return bare_column(*call->args[0], differentiator);
}

std::optional<Decimal> constant_value(const Expr& expr, const Differentiator& differentiator) {
  if (!differentiator.is_public(expr) || !is_plain_number(expr)) return std::nullopt;
  if (!columns_read(expr).empty()) return std::nullopt;
  if (const auto* exact = std::get_if<ExactRange>(&expr.range)) {
    if (exact->lo.value == exact->hi.value) return exact->lo.value;
  }
  if (const auto* real = std::get_if<RealRange>(&expr.range)) {
    if (real->lo.value == real->hi.value) return parse_decimal(to_string(real->lo.value));
  }
  return std::nullopt;
}

std::optional<ConstantComparison> constant_comparison(const Call& call, const Differentiator& differentiator) {
  if (call.args.size() != 2) return std::nullopt;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const PrivateColumn* column = bare_column(*call.args[side], differentiator);
    if (!column) continue;
    const auto value = constant_value(*call.args[1 - side], differentiator);
    if (!value) return std::nullopt;
    return ConstantComparison{column, side == 0 ? call.rule->name : mirrored(call.rule->name), *value};
  }
  return std::nullopt;
}

}  // namespace tacit
