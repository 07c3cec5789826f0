#pragma once

#include "sql/functions/function_rule.hpp"

namespace tacit {

// The two sides of a comparison. Text is compared byte by byte on every engine.
Result<std::vector<ExprPtr>> bind_sides(const FunctionRule& rule, std::vector<ExprPtr> args, int position);
void print_sides(const Expr& call, ExpressionPrinter& printer, std::string_view between);

}  // namespace tacit
