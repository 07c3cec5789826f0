// Changes of type that keep the value: between exact types, to double, from a date to its midnight; and rounding.
// The proof that nothing overflows is as_exact's and as_timestamp's precondition (functions/conversions.hpp).
#include <fmt/format.h>

#include "sql/functions/print_cast.hpp"
#include "sql/functions/rules.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

const Expr& argument(const Expr& call) { return *std::get<Call>(call.node).args[0]; }

// A stored column is cast straight to the wider type, except that a decimal of PostgreSQL may be NaN.
void print_wider(const Expr& call, ExpressionPrinter& printer) {
  if (printer.dialect() == Dialect::postgres && argument(call).type.kind == TypeKind::decimal) {
    return print_cast(call, printer);
  }
  printer.text("CAST(");
  printer.expression(argument(call));
  printer.text(" AS ");
  printer.text(computed_type_name(call.type, printer.dialect()));
  printer.text(")");
}

// A decimal of PostgreSQL is a decimal of any width already.
void print(const Expr& call, ExpressionPrinter& printer) {
  const bool stays = printer.dialect() == Dialect::postgres && call.type.kind == TypeKind::decimal &&
                     argument(call).type.kind == TypeKind::decimal;
  return stays ? printer.operand(argument(call)) : print_wider(call, printer);
}

// Casting a decimal to fewer digits rounds half away from zero in DuckDB, as ROUND does in PostgreSQL.
void print_rounded(const Expr& call, ExpressionPrinter& printer) {
  if (printer.dialect() == Dialect::duckdb) return print_wider(call, printer);
  printer.text("ROUND(");
  printer.operand(argument(call));
  printer.text(fmt::format(", {})", call.type.scale));
}

}  // namespace

const FunctionRule convert_rule{"convert", nullptr, print};
const FunctionRule to_double_rule{"to double", nullptr, print};
const FunctionRule to_timestamp_rule{"to timestamp", nullptr, print};
const FunctionRule round_to_scale_rule{"round to scale", nullptr, print_rounded};

}  // namespace tacit
