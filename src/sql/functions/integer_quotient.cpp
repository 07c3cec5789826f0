// Integer division, cut toward zero. NULL for a divisor of zero, and for
// (-2^63) / (-1) where PostgreSQL raises an error.
#include "sql/functions/arithmetic.hpp"
#include "sql/functions/conversions.hpp"
#include "sql/functions/quotients.hpp"
#include "sql/functions/refusals.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

ExactRange range_of_bits(int bits) { return std::get<ExactRange>(type_range(SqlType::integer(bits))); }

void print(const Expr& call, ExpressionPrinter& printer) {
  const auto& args = std::get<Call>(call.node).args;
  const bool guarded = call.type.bits == 64 && may_be_smallest_by_minus_one(*args[0], *args[1]);
  printer.text("(");
  if (guarded) {
    printer.text("CASE WHEN ");
    printer.operand(*args[0]);
    printer.text(" > ");
    printer.literal(range_of_bits(64).lo.value, SqlType::integer(64));
    printer.text(" OR ");
    printer.operand(*args[1]);
    printer.text(" <> ");
    printer.literal(Decimal{-1, 0}, SqlType::integer(64));
    printer.text(" THEN ");
  }
  printer.dialect().print_integer_quotient(*args[0], *args[1], call.type, printer);
  printer.text(guarded ? " END)" : ")");
}

}  // namespace

bool may_be_smallest_by_minus_one(const Expr& dividend, const Expr& divisor) {
  return contains(exact_range(dividend), range_of_bits(64).lo.value) && contains(exact_range(divisor), Decimal{-1, 0});
}

Result<ExprPtr> bind_integer_quotient(const NumberPair& pair, int position) {
  const ExactRange& a = exact_range(*pair.left);
  const ExactRange& b = exact_range(*pair.right);
  const auto quotient = divide(a, b, Decimal{1, 0}, 0, QuotientRounding::toward_zero);
  if (!quotient) return refuse_overflow("`/`", std::vector{pair.left, pair.right}, position);
  const bool both_fit = contains(range_of_bits(64), a) && contains(range_of_bits(64), b);
  const ExactRange range = both_fit ? intersect(*quotient, range_of_bits(64)) : *quotient;
  const ExactRange all[] = {a, b, range};
  const auto type = integer_type(hull(all));
  if (!type) return refuse_overflow("`/`", std::vector{pair.left, pair.right}, position);
  return make_call(integer_quotient_rule, {as_exact(pair.left, *type), as_exact(pair.right, *type)}, *type, range,
                   position);
}

const FunctionRule integer_quotient_rule{
    "integer quotient", {Nulls::propagated, Meaning::other}, nullptr, print, Callable::internally, 2};

}  // namespace tacit
