#pragma once

#include <string>
#include <string_view>

#include "sql/expr.hpp"
#include "sql/print_expression.hpp"

namespace tacit {

// Case of the letters A to Z only; every other character stays. Engines, their locales and their versions of Unicode
// disagree on the others.
void print_ascii_lower(const Expr& text, ExpressionPrinter& printer);
void print_ascii_upper(const Expr& text, ExpressionPrinter& printer);
std::string ascii_lower(std::string_view text);

}  // namespace tacit
