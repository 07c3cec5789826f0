// null_outside(x): x where it lies in the call's range, else NULL. Comparison with NaN is false or puts NaN above
// everything, so BETWEEN drops it.
#include "sql/functions/conversions.hpp"
#include "sql/functions/range_ends.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

void print(const Expr& call, ExpressionPrinter& printer) {
  const Expr& value = *std::get<Call>(call.node).args[0];
  const RangeEnds ends = literal_ends(call);
  const EndsToCheck check = ends_to_check(call, value);
  printer.text("(CASE WHEN ");
  printer.expression(value);
  if (check.lo && check.hi) {
    printer.text(" BETWEEN ");
    printer.literal(ends.lo, call.type);
    printer.text(" AND ");
    printer.literal(ends.hi, call.type);
  } else {
    printer.text(check.lo ? " >= " : " <= ");
    printer.literal(check.lo ? ends.lo : ends.hi, call.type);
  }
  printer.text(" THEN ");
  if (check.hi) {
    printer.bounded_operand(value);
  } else {
    printer.operand(value);
  }
  printer.text(" END)");
}

}  // namespace

const FunctionRule null_outside_rule{
    "null_outside", {Nulls::propagated, Meaning::null_outside, unspoken}, nullptr, print, Callable::internally, 2};

}  // namespace tacit
