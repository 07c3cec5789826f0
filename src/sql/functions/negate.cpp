// -x. A literal is folded, so that -5 is a literal too.
#include "sql/functions/arithmetic.hpp"
#include "sql/functions/cast_literal.hpp"
#include "sql/functions/common_type.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/exact_range.hpp"
#include "sql/functions/real_range.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> negated_literal(const Expr& literal, int position) {
  if (const auto* real = std::get_if<double>(&literal_value(literal))) {
    return make_literal(-*real, SqlType::real(), position);
  }
  const auto value = negate(std::get<Decimal>(literal_value(literal)));
  if (!value) return refuse("the number is out of range", "write a smaller one", position);
  return exact_literal(*value, literal.type.kind == TypeKind::integer, position);
}

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 1, 1, position));
  TACIT_TRY(ExprPtr number, to_number(std::move(args[0]), "`-`", position));
  if (is_null_literal(*number)) return number;
  if (is_literal(*number)) return negated_literal(*number, position);
  if (number->type.kind == TypeKind::real) {
    const RealRange range = negate(real_range(*number));
    return make_call(rule, {std::move(number)}, SqlType::real(), range, position);
  }
  const auto range = negate(exact_range(*number));
  if (!range) return refuse_overflow("`-`", std::vector<ExprPtr>{number}, position);
  return call_same_type(rule, std::move(number), *range, position);
}

void print(const Expr& call, ExpressionPrinter& printer) {
  printer.text("(- ");
  printer.operand(*std::get<Call>(call.node).args[0]);
  printer.text(")");
}

}  // namespace

const FunctionRule negate_rule{"negate", {Nulls::strict, Meaning::negative, prefix("-")}, bind, print};

}  // namespace tacit
