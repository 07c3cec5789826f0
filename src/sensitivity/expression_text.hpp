#pragma once

#include <string>

#include "sql/expr.hpp"

namespace tacit {

// An expression as a person reads it: columns by their table's name, guards and conversions left out.
std::string expression_text(const Expr& expr);

}  // namespace tacit
