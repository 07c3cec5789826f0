// clamp(x): the point of the call's range nearest to x. In a CASE, rows inside the range are the common case and come
// first.
// NULL stays NULL, a double's NaN becomes NULL, infinities become the bound. The NaN of a PostgreSQL decimal lies above
// every number and becomes the upper bound, where there is one to check; else it is NULL as for every computation.
#include "sql/functions/clamp.hpp"

#include <limits>

#include "sql/functions/range_ends.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

void print_two_sided(const Expr& call, const Expr& value, const RangeEnds& ends, ExpressionPrinter& printer) {
  printer.text("(CASE WHEN ");
  printer.expression(value);
  printer.text(" BETWEEN ");
  printer.literal(ends.lo, call.type);
  printer.text(" AND ");
  printer.literal(ends.hi, call.type);
  printer.text(" THEN ");
  printer.operand(value);
  printer.text(" WHEN ");
  printer.expression(value);
  printer.text(" < ");
  printer.literal(ends.lo, call.type);
  printer.text(" THEN ");
  printer.literal(ends.lo, call.type);
  printer.text(" WHEN ");
  printer.expression(value);
  if (call.type.kind == TypeKind::real) {
    printer.text(" <= ");
    printer.literal(std::numeric_limits<double>::infinity(), call.type);
  } else {
    printer.text(" > ");
    printer.literal(ends.hi, call.type);
  }
  printer.text(" THEN ");
  printer.literal(ends.hi, call.type);
  printer.text(" END)");
}

void print(const Expr& call, ExpressionPrinter& printer) {
  if (call.type.kind == TypeKind::real) return print_clamp_by_case(call, printer);
  printer.dialect().print_exact_clamp(call, printer);
}

}  // namespace

void print_clamp_by_case(const Expr& call, ExpressionPrinter& printer) {
  const Expr& value = *std::get<Call>(call.node).args[0];
  const RangeEnds ends = literal_ends(call);
  const EndsToCheck check = ends_to_check(call, value);
  if (check.lo && check.hi) return print_two_sided(call, value, ends, printer);
  if (!check.lo && !check.hi) return printer.operand(value);
  const Value& bound = check.lo ? ends.lo : ends.hi;
  printer.text("(CASE WHEN ");
  printer.expression(value);
  printer.text(check.lo ? " < " : " > ");
  printer.literal(bound, call.type);
  printer.text(" THEN ");
  printer.literal(bound, call.type);
  printer.text(" ELSE ");
  printer.operand(value);
  printer.text(" END)");
}

const FunctionRule clamp_rule{
    "clamp", {Nulls::strict, Meaning::nearest_inside, unspoken}, nullptr, print, Callable::internally, 4};

}  // namespace tacit
