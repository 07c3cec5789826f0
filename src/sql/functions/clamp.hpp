#pragma once

#include "sql/expr.hpp"

namespace tacit {

class ExpressionPrinter;  // sql/print_expression.hpp

// A call of the rule clamp as CASE and comparisons, for whatever is ordered. NULL stays NULL, a double's NaN becomes
// NULL.
void print_clamp_by_case(const Expr& call, ExpressionPrinter& printer);

}  // namespace tacit
