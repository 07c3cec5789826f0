#pragma once

#include <map>

#include "base/result.hpp"
#include "sql/expr.hpp"

namespace tacit {

// `expr` with every column that a subquery computes replaced by its definition. Definitions are shared, so nested
// subqueries could grow exponentially when read as a tree: what is too large to read is refused.
Result<ExprPtr> inline_columns(const ExprPtr& expr, const std::map<const Column*, ExprPtr>& definitions);

}  // namespace tacit
