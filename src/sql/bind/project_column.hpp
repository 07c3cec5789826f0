#pragma once

#include <string>

#include "sql/expr.hpp"

namespace tacit {

// The column of a subquery that holds an expression. A bare column keeps what the owner said about it; a computed one
// is known by its range alone.
ColumnPtr project_column(const ExprPtr& expression, const std::string& name);

}  // namespace tacit
