// x * y. The range proves that it does not overflow, but PostgreSQL also raises an error where a product of two numbers
// underflows to zero. There,
//
//   CASE WHEN (min(|x|, 2^-30) * 2^537) * (min(|y|, 2^-30) * 2^537) > 0.5 THEN x * y ELSE x * 0 + y * 0 END
//
// is x * y: scaling a double up by a power of two is exact, so the condition says |x y| > 2^-1075 (that which rounds to
// a number other than zero) when both are below 2^-30. When one is larger, the condition holds unless the other is
// below 2^-1045: such denormal numbers count as zero. The scaled product lies in [2^-1074, 2^1014] or is zero, and
// 0 * y is never an underflow. A NULL fails the condition and makes the other branch NULL. min is float8smaller, what
// MIN is made of: it is strict, and quicker than LEAST.
#include "sql/dialects/postgres/doubles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "sql/functions/conversions.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

void print_plain(const Expr& x, const Expr& y, ExpressionPrinter& printer) {
  printer.text("(");
  printer.operand(x);
  printer.text(" * ");
  printer.operand(y);
  printer.text(")");
}

void print_scaled_up(const Expr& factor, ExpressionPrinter& printer) {
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

// x * 10^s as a double.
void print_in_units(const Expr& value, int scale, ExpressionPrinter& printer) {
  if (scale == 0) return printer.operand(value);
  printer.text("(");
  printer.operand(value);
  printer.text(" * ");
  printer.literal(std::pow(10.0, scale), SqlType::real());
  printer.text(")");
}

// PostgreSQL casts a double to the decimal of its first 15 digits. The units u = x * 10^s, rounded half away from zero,
// are exact as an integer: TRUNC(u) + TRUNC((u - TRUNC(u)) * 2) adds the half that was cut off.
void print_units(const Expr& value, int scale, ExpressionPrinter& printer) {
  printer.text("CAST(TRUNC(");
  print_in_units(value, scale, printer);
  printer.text(") + TRUNC((");
  print_in_units(value, scale, printer);
  printer.text(" - TRUNC(");
  print_in_units(value, scale, printer);
  printer.text(")) * 2) AS BIGINT)");
}

// Units of more than 63 bits are a whole number u = q 2^64 + r, each half exact in doubles; r - 2^63 fits 64 bits.
void print_wide_units(const Expr& value, int scale, ExpressionPrinter& printer) {
  const std::string half = print_literal(0x1p63, SqlType::real(), printer.dialect());
  const std::string whole = print_literal(0x1p64, SqlType::real(), printer.dialect());
  const auto print_high = [&] {
    printer.text("FLOOR(");
    print_in_units(value, scale, printer);
    printer.text(" / " + whole + ")");
  };
  printer.text("(CASE WHEN ABS(");
  print_in_units(value, scale, printer);
  printer.text(") < " + half + " THEN CAST(");
  print_units(value, scale, printer);
  printer.text(" AS NUMERIC) ELSE CAST(CAST(");
  print_high();
  printer.text(" AS BIGINT) AS NUMERIC) * 18446744073709551616 + CAST(CAST(");
  print_in_units(value, scale, printer);
  printer.text(" - ");
  print_high();
  printer.text(" * " + whole + " - " + half + " AS BIGINT) AS NUMERIC) + 9223372036854775808 END)");
}

}  // namespace

void print_postgres_product(const Expr& x, const Expr& y, ExpressionPrinter& printer) {
  if (is_literal(y)) return print_beside_literal(x, y, printer);
  if (is_literal(x)) return print_beside_literal(y, x, printer);
  printer.text("(CASE WHEN ");
  print_scaled_up(x, printer);
  printer.text(" * ");
  print_scaled_up(y, printer);
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

void print_postgres_decimal(const Expr& call, ExpressionPrinter& printer) {
  const Expr& value = *std::get<Call>(call.node).args[0];
  const RealRange& range = real_range(value);
  const double most = std::max(std::abs(range.lo.value), std::abs(range.hi.value)) * std::pow(10.0, call.type.scale);
  printer.text("(");
  if (most < 9e18) {
    print_units(value, call.type.scale, printer);
  } else {
    print_wide_units(value, call.type.scale, printer);
  }
  printer.text(" * ");
  printer.literal(Decimal{1, call.type.scale}, SqlType::decimal(std::max(call.type.scale, 1), call.type.scale));
  printer.text(")");
}

}  // namespace tacit
