#pragma once

#include <string_view>

#include "sql/print_expression.hpp"

namespace tacit {

// What x must be for the engine's function to be defined.
enum class Guard { none, positive, not_negative, at_most_690 };

// CASE WHEN x is inside THEN name(x) END; x a double.
inline void print_guarded(std::string_view name, const Expr& x, Guard guard, ExpressionPrinter& printer) {
  if (guard != Guard::none) {
    printer.text("(CASE WHEN ");
    printer.operand(x);
    printer.text(guard == Guard::positive ? " > " : guard == Guard::not_negative ? " >= " : " <= ");
    printer.literal(guard == Guard::at_most_690 ? 690.0 : 0.0, SqlType::real());
    printer.text(" THEN ");
  }
  printer.text(name);
  printer.text("(");
  printer.operand(x);
  printer.text(guard == Guard::none ? ")" : ") END)");
}

}  // namespace tacit
