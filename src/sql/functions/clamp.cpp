// clamp(x): the point of the call's range nearest to x. In a CASE, rows inside the range are the common case and come
// first.
// NULL stays NULL, a double's NaN becomes NULL, infinities become the bound. The NaN of a PostgreSQL decimal lies above
// every number and becomes the upper bound, where there is one to check; else it is NULL as for every computation.
#include <limits>

#include "base/check.hpp"
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

// The start of the names of PostgreSQL's functions ...smaller(a, b) and ...larger(a, b), which its MIN and MAX are made
// of. They are strict, immutable, and read their argument once, unlike CASE; LEAST and GREATEST would leave a NULL out.
std::string_view order_functions(const SqlType& type) {
  switch (type.kind) {
    case TypeKind::integer:
      return type.bits <= 16 ? "int2" : type.bits == 32 ? "int4" : type.bits == 64 ? "int8" : "numeric_";
    case TypeKind::decimal: return "numeric_";
    case TypeKind::date: return "date_";
    case TypeKind::timestamp: return "timestamp_";
    default: break;
  }
  TACIT_CHECK(false, "an exact clamp is of numbers, dates or timestamps");
}

// larger(smaller(x, hi), lo). The smaller of NaN and hi is hi.
void print_exact_postgres(const Expr& call, const Expr& value, const RangeEnds& ends, const EndsToCheck& check,
                          ExpressionPrinter& printer) {
  const std::string functions(order_functions(call.type));
  if (check.lo) printer.text(functions + "larger(");
  if (check.hi) {
    printer.text(functions + "smaller(");
    printer.bounded_operand(value);
    printer.text(", ");
    printer.literal(ends.hi, call.type);
    printer.text(")");
  } else {
    printer.operand(value);
  }
  if (!check.lo) return;
  printer.text(", ");
  printer.literal(ends.lo, call.type);
  printer.text(")");
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const Expr& value = *std::get<Call>(call.node).args[0];
  const RangeEnds ends = literal_ends(call);
  const EndsToCheck check = ends_to_check(call, value);
  if (printer.dialect() == Dialect::postgres && call.type.kind != TypeKind::real) {
    return print_exact_postgres(call, value, ends, check, printer);
  }
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

}  // namespace

const FunctionRule clamp_rule{"clamp", nullptr, print, Callable::internally, 4};

}  // namespace tacit
