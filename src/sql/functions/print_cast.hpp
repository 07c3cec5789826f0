#pragma once

#include <string_view>

#include "sql/expr.hpp"

namespace tacit {

class ExpressionPrinter;

// CAST(value AS type): the value as stored, without what ExpressionPrinter::operand adds.
void print_as(const Expr& value, std::string_view type, ExpressionPrinter& printer);

// CAST(argument AS the call's type): for calls whose argument provably fits it.
void print_cast(const Expr& call, ExpressionPrinter& printer);

}  // namespace tacit
