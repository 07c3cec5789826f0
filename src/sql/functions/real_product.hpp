#pragma once

#include "sql/expr.hpp"

namespace tacit {

// Whether the product of two doubles that are not zero may be too small for a double; real_product_rule prints it then.
bool may_underflow(const Expr& x, const Expr& y);

}  // namespace tacit
