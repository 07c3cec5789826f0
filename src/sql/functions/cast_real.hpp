#pragma once

#include "base/result.hpp"
#include "sql/expr.hpp"

namespace tacit {

// A double as an exact number; NULL where the target does not hold it. `value` is a double that was read
// (numeric_operand), so never NaN.
//   integer:        rounded half to even
//   decimal(p, s):  the engine's nearest number of s digits
Result<ExprPtr> real_to_integer(ExprPtr value, const SqlType& target, int position);
Result<ExprPtr> real_to_decimal(ExprPtr value, const SqlType& target, int position);

}  // namespace tacit
