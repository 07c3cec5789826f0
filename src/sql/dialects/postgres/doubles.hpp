#pragma once

#include "sql/expr.hpp"

namespace tacit {

class ExpressionPrinter;  // sql/print_expression.hpp

// What takes PostgreSQL more than an operator, because it raises an error where a double underflows and casts one to a
// decimal of 15 digits.

// x * y; see Dialect::print_real_product.
void print_postgres_product(const Expr& x, const Expr& y, ExpressionPrinter& printer);

// See Dialect::print_real_to_decimal.
void print_postgres_decimal(const Expr& call, ExpressionPrinter& printer);

}  // namespace tacit
