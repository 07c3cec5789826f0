#pragma once

#include "base/type.hpp"
#include "base/value.hpp"
#include "sensitivity/grid.hpp"

namespace tacit {

// units * step as an answer shows it: an exact Decimal on a decimal grid, the nearest double on a binary grid or where
// the column's type is double. Non-decreasing in `units`. A number of more than 38 digits stops at the largest one.
Value value_on_grid(Int128 units, const Grid& grid, const SqlType& type);

}  // namespace tacit
