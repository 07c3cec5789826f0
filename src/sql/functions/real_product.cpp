// x * y of doubles. The range proves that it does not overflow, but PostgreSQL also raises an error where a product of
// two numbers underflows to zero. There,
//
//   CASE WHEN (min(|x|, 2^-30) * 2^537) * (min(|y|, 2^-30) * 2^537) > 0.5 THEN x * y ELSE x * 0 + y * 0 END
//
// is x * y: scaling a double up by a power of two is exact, so the condition says |x y| > 2^-1075 (that which rounds to
// a number other than zero) when both are below 2^-30. When one is larger, the condition holds unless the other is
// below 2^-1045: such denormal numbers count as zero. The scaled product lies in [2^-1074, 2^1014] or is zero, and
// 0 * y is never an underflow. A NULL fails the condition and makes the other branch NULL. min is float8smaller, what
// MIN is made of: it is strict, and quicker than LEAST.
#include "sql/functions/real_product.hpp"

#include <cmath>
#include <limits>

#include "sql/functions/conversions.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

double least_magnitude(const RealRange& range) {
  return range.lo.value > 0.0 ? range.lo.value : range.hi.value < 0.0 ? -range.hi.value : 0.0;
}

bool is_zero(const Expr& factor) { return real_range(factor).lo.value == 0.0 && real_range(factor).hi.value == 0.0; }

void print_plain(const Expr& x, const Expr& y, ExpressionPrinter& printer) {
  printer.text("(");
  printer.operand(x);
  printer.text(" * ");
  printer.operand(y);
  printer.text(")");
}

void print_scaled(const Expr& factor, ExpressionPrinter& printer) {
  printer.text("(float8smaller(ABS(");
  printer.operand(factor);
  printer.text("), ");
  printer.literal(0x1p-30, SqlType::real());
  printer.text(") * ");
  printer.literal(0x1p537, SqlType::real());
  printer.text(")");
}

// Beside a literal the condition is about the other factor alone.
void print_beside_literal(const Expr& x, const Expr& literal, ExpressionPrinter& printer) {
  const double factor = std::abs(std::get<double>(literal_value(literal)));
  const double least = std::nextafter(0x1p-1074 / factor, std::numeric_limits<double>::infinity());
  printer.text("(CASE WHEN ABS(");
  printer.operand(x);
  printer.text(") < ");
  printer.literal(least, SqlType::real());
  printer.text(" THEN ");
  printer.literal(0.0, SqlType::real());
  printer.text(" ELSE ");
  print_plain(x, literal, printer);
  printer.text(" END)");
}

void print(const Expr& call, ExpressionPrinter& printer) {
  const Expr& x = *std::get<Call>(call.node).args[0];
  const Expr& y = *std::get<Call>(call.node).args[1];
  if (printer.dialect() == Dialect::duckdb) return print_plain(x, y, printer);
  if (is_literal(y)) return print_beside_literal(x, y, printer);
  if (is_literal(x)) return print_beside_literal(y, x, printer);
  printer.text("(CASE WHEN ");
  print_scaled(x, printer);
  printer.text(" * ");
  print_scaled(y, printer);
  printer.text(" > ");
  printer.literal(0.5, SqlType::real());
  printer.text(" THEN ");
  print_plain(x, y, printer);
  const std::string zero = print_literal(0.0, SqlType::real(), printer.dialect());
  printer.text(" ELSE ");
  printer.operand(x);
  printer.text(" * " + zero + " + ");
  printer.operand(y);
  printer.text(" * " + zero + " END)");
}

}  // namespace

bool may_underflow(const Expr& x, const Expr& y) {
  if (is_null_literal(x) || is_null_literal(y) || is_zero(x) || is_zero(y)) return false;
  const double least_x = least_magnitude(real_range(x));
  const double least_y = least_magnitude(real_range(y));
  return least_x < 1.0 && least_y < 1.0 && least_x * least_y < 1e-300;
}

const FunctionRule real_product_rule{"product of doubles", nullptr, print, Callable::internally, 3};

}  // namespace tacit
