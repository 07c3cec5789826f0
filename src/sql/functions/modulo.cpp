// a % b and mod(a, b) of exact numbers: the remainder of division cut toward zero, with the sign of a. NULL for b = 0.
#include <algorithm>

#include "sql/functions/arithmetic.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/quotients.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

Result<ExprPtr> bind(const FunctionRule& rule, std::vector<ExprPtr> args, int position) {
  TACIT_TRY_STATUS(expect_arguments(rule, args, 2, 2, position));
  TACIT_TRY(NumberPair pair, to_numbers(std::move(args[0]), std::move(args[1]), "`%`", position));
  const std::vector<ExprPtr> both{pair.left, pair.right};
  if (pair.is_real()) return refuse_types("`%`", both, "CAST the doubles to decimal(p, s)", position);
  TACIT_TRY(const auto sides, to_common_type(both, "`%`", position));
  SqlType type = sides[0]->type;
  const int scale = type.kind == TypeKind::decimal ? type.scale : 0;
  const auto range = modulo(exact_range(*sides[0]), exact_range(*sides[1]), scale);
  if (!range) return refuse_overflow("`%`", both, position);
  if (type.kind == TypeKind::integer) {
    const ExactRange all[] = {exact_range(*sides[0]), exact_range(*sides[1])};
    const auto integer = integer_type(hull(all));
    if (!integer) return refuse_overflow("`%`", both, position);
    type = *integer;
  }
  return make_call(rule, {as_exact(sides[0], type), as_exact(sides[1], type)}, type, *range, position);
}

// (-2^63) % (-1) raises an error in DuckDB; the remainder by -1 is 0, or NULL with the dividend.
void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  printer.text("(");
  if (call.type.kind == TypeKind::integer && may_be_smallest_by_minus_one(*args[0], *args[1])) {
    printer.text("CASE WHEN ");
    printer.operand(*args[1]);
    printer.text(" = ");
    printer.literal(Decimal{-1, 0}, call.type);
    printer.text(" THEN ");
    printer.operand(*args[0]);
    printer.text(" - ");
    printer.operand(*args[0]);
    printer.text(" ELSE ");
    printer.dialect().print_remainder(*args[0], *args[1], printer);
    printer.text(" END)");
    return;
  }
  printer.dialect().print_remainder(*args[0], *args[1], printer);
  printer.text(")");
}

}  // namespace

const FunctionRule modulo_rule{"%", {Nulls::propagated, Meaning::other, infix("%")}, bind, print, Callable::internally,
                               3};
const FunctionRule mod_rule{"mod", {Nulls::propagated, Meaning::other}, bind, print, Callable::by_analyst, 3};

}  // namespace tacit
