#pragma once

#include <string_view>

#include "sql/expr.hpp"
#include "sql/print_expression.hpp"

namespace tacit {

// NAME(first argument)
inline void print_function(std::string_view name, const Expr& call, ExpressionPrinter& printer) {
  printer.text(name);
  printer.text("(");
  printer.operand(*std::get<Call>(call.node).args[0]);
  printer.text(")");
}

}  // namespace tacit
