// round(x[, n]). Exact numbers: half away from zero to n digits after the point; n < 0 rounds before it. Doubles: half
// to even, whole numbers only, as PostgreSQL.
#include <cmath>
#include <optional>

#include "sql/coerce.hpp"
#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

// The literal number of digits.
std::optional<int> digits_wanted(const Expr& expr) {
  if (!is_literal(expr)) return std::nullopt;
  const auto* number = std::get_if<Decimal>(&literal_value(expr));
  if (number == nullptr || expr.type.kind != TypeKind::integer) return std::nullopt;
  if (*number < Decimal{-38, 0} || *number > Decimal{38, 0}) return std::nullopt;
  return static_cast<int>(number->units);
}

ExprPtr decimal_literal(const Decimal& value) {
  return make_literal(value, SqlType::decimal(std::max(digits(value.units), std::max(value.scale, 1)), value.scale), 0);
}

// x = y * 10^k with y rounded to whole numbers.
Result<ExprPtr> round_before_point(ExprPtr number, int k, int position) {
  TACIT_TRY(ExprPtr shifted, bind_call("*", {std::move(number), decimal_literal({1, k})}, position));
  return bind_call("*", {rounded(std::move(shifted), 0), decimal_literal({power_of_ten(k), 0})}, position);
}

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 2, position));
  TACIT_TRY(ExprPtr number, to_number(std::move(args[0]), "`round`", position));
  if (number->type.kind == TypeKind::real) {
    if (args.size() == 2) {
      return refuse("`round` of a double takes no number of digits", "CAST it to decimal(p, s) first", position);
    }
    RealRange range = real_range(*number);
    range.lo.value = std::floor(range.lo.value);
    range.hi.value = std::ceil(range.hi.value);
    return make_call(rule, {std::move(number)}, SqlType::real(), range, position);
  }
  const auto wanted = args.size() == 2 ? digits_wanted(*args[1]) : std::optional<int>(0);
  if (!wanted) {
    return refuse("`round` needs a literal number of digits", "write a whole number between -38 and 38", position);
  }
  if (*wanted < 0) return round_before_point(std::move(number), -*wanted, position);
  return rounded(std::move(number), *wanted);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  printer.dialect().print_nearest_whole(*std::get<Call>(call.node).args[0], printer);
}

}  // namespace

const FunctionRule round_rule{"round", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst};

}  // namespace tacit
