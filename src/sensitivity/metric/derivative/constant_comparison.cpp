#include "sensitivity/metric/derivative/constant_comparison.hpp"

#include <algorithm>

#include "sql/coerce.hpp"
#include "sql/functions/function_rule.hpp"

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
  const Meaning meaning = call->rule->traits.meaning;
  const bool keeps = meaning == Meaning::sum || meaning == Meaning::difference || meaning == Meaning::product ||
                     meaning == Meaning::negative || meaning == Meaning::same_value ||
                     meaning == Meaning::nearest_double;
  return keeps &&
         std::all_of(call->args.begin(), call->args.end(), [](const ExprPtr& arg) { return is_plain_number(*arg); });
}

Meaning mirrored(Meaning relation) {
  switch (relation) {
    case Meaning::less: return Meaning::greater;
    case Meaning::at_most: return Meaning::at_least;
    case Meaning::greater: return Meaning::less;
    case Meaning::at_least: return Meaning::at_most;
    default: return relation;
  }
}

}  // namespace

const PrivateColumn* bare_column(const Expr& expr, const Differentiator& differentiator) {
  if (const auto* ref = std::get_if<ColumnRef>(&expr.node)) {
    const auto found = differentiator.columns().find(ref->column.get());
    return found == differentiator.columns().end() ? nullptr : &found->second;
  }
  // A logarithm's column is read within its bounds: beyond them it does not move.
  if (const Call* clamp = call_meaning(expr, Meaning::nearest_inside)) {
    const PrivateColumn* column = bare_column(*clamp->args[0], differentiator);
    return column && column->use == MetricColumn::Use::logarithm ? column : nullptr;
  }
  if (const Call* same = call_meaning(expr, Meaning::same_value)) return bare_column(*same->args[0], differentiator);
  // As a double a long number is rounded, and compared where its neighbour is.
  const Call* nearest = call_meaning(expr, Meaning::nearest_double);
  if (!nearest || !is_exact_as_double(nearest->args[0]->type)) return nullptr;
  return bare_column(*nearest->args[0], differentiator);
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
    const Meaning relation = call.rule->traits.meaning;
    return ConstantComparison{column, side == 0 ? relation : mirrored(relation), *value};
  }
  return std::nullopt;
}

}  // namespace tacit
