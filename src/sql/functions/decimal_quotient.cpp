// a / b of exact numbers, at least one a decimal: the exact quotient rounded half away from zero to s digits,
// s = max(scale of a, scale of b, 6).
//
// With a = A 10^-sa and b = B 10^-sb in whole units, t = A 10^(s+1+sb-sa) div B is the quotient cut toward zero after
// s+1 digits. Rounding t half away from zero in its last digit rounds the exact quotient: the digits that were cut off
// lie behind the deciding one. The engine does this in integers (64 bits when all digits fit 18, else 128) and never in
// doubles; each operand is printed once. Division by zero is NULL.
#include <algorithm>

#include "sql/functions/arithmetic.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/quotients.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

constexpr int least_scale = 6;

int scale_of(const Expr& number) { return number.type.kind == TypeKind::decimal ? number.type.scale : 0; }

ExprPtr power_literal(int exponent) {
  return make_literal(Decimal{power_of_ten(exponent), 0}, SqlType::decimal(exponent + 1, 0), 0);
}

// The number times 10^scale: whole units, still a decimal. Refuses when 38 digits do not hold them.
Result<ExprPtr> in_units(const ExprPtr& number, int position) {
  const int scale = scale_of(*number);
  if (scale == 0) return number;
  if (scale > 37) return refuse_overflow("`/`", std::vector{number}, position);
  return multiply_rule.bind(multiply_rule, {number, power_literal(scale)}, position);
}

std::optional<DecimalQuotient> make_plan(const Expr& units_a, const Expr& units_b, int shift) {
  const int digits_a = digits_at_scale(exact_range(units_a), 0);
  const int digits_b = digits_at_scale(exact_range(units_b), 0);
  if (digits_a + shift > 38 || digits_b > 38) return std::nullopt;
  const auto shifted =
      multiply(exact_range(units_a), {{{power_of_ten(shift), 0}, true}, {{power_of_ten(shift), 0}, true}});
  if (!shifted) return std::nullopt;
  const auto cut = divide(*shifted, exact_range(units_b), Decimal{1, 0}, 0, QuotientRounding::toward_zero);
  if (!cut) return std::nullopt;
  return DecimalQuotient{shift, digits_a + shift <= 18 && digits_b <= 18, digits_at_scale(*cut, 0)};
}

// Arguments of the call: A, B in units, and the shift as a literal.
void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  const int shift = static_cast<int>(std::get<Decimal>(literal_value(*args[2])).units);
  const auto plan = make_plan(*args[0], *args[1], shift);
  printer.dialect().print_decimal_quotient(call, *plan, printer);
}

}  // namespace

Result<ExprPtr> bind_decimal_quotient(const NumberPair& pair, int position) {
  const std::vector<ExprPtr> both{pair.left, pair.right};
  const int scale = std::max({scale_of(*pair.left), scale_of(*pair.right), least_scale});
  if (scale > 36) return refuse_overflow("`/`", both, position);
  const Decimal step{1, scale_of(*pair.right)};
  const auto range =
      divide(exact_range(*pair.left), exact_range(*pair.right), step, scale, QuotientRounding::half_away);
  if (!range) return refuse_overflow("`/`", both, position);
  TACIT_TRY(ExprPtr units_a, in_units(pair.left, position));
  TACIT_TRY(ExprPtr units_b, in_units(pair.right, position));
  const int shift = scale + 1 + scale_of(*pair.right) - scale_of(*pair.left);
  const auto plan = make_plan(*units_a, *units_b, shift);
  if (!plan || plan->digits > 38) return refuse_overflow("`/`", both, position);
  const int width = digits_to_round(*range, scale);
  if (width > 38) return refuse_overflow("`/`", both, position);
  const SqlType type = SqlType::decimal(width, scale);
  ExprPtr shift_literal = make_literal(Decimal{shift, 0}, SqlType::integer(32), 0);
  return make_call(decimal_quotient_rule, {units_a, units_b, shift_literal}, type, *range, position);
}

const FunctionRule decimal_quotient_rule{"decimal quotient", {Nulls::propagated, Meaning::other}, nullptr, print};

}  // namespace tacit
