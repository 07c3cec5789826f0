#pragma once

#include "sql/expr.hpp"

namespace tacit {

// The expression with the clamps to declared bounds taken out. Not total and without a proved range: for the owner's
// timing of the plain query only.
ExprPtr without_clamps(const ExprPtr& expr);

}  // namespace tacit
