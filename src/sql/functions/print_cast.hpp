#pragma once

#include "sql/expr.hpp"

namespace tacit {

class ExpressionPrinter;

// CAST(argument AS the call's type): for calls whose argument provably fits it.
void print_cast(const Expr& call, ExpressionPrinter& printer);

}  // namespace tacit
