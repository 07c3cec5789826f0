#pragma once

#include "sql/dialect.hpp"
#include "sql/expr.hpp"

namespace tacit {

// An expression that is NULL on exactly the rows where `expr` is, and never dearer to compute: a clamped column is NULL
// where the column is. For COUNT beside a SUM of the same argument.
ExprPtr null_witness(const ExprPtr& expr, const Dialect& dialect);

}  // namespace tacit
