#pragma once

#include <string>

#include "base/decimal.hpp"
#include "base/type.hpp"
#include "sql/dialect.hpp"

namespace tacit {

// Engine SQL that is true when `value` is nearer to `previous` than `step`, for `previous` < `value`. Total: no value
// of the type makes it fail, the largest and infinite ones included.
//
// Reals: up to `rounding` (of the column's stored type, relative), so that 0.1, 0.2, 0.3 have the step 0.1. Dates and
// timestamps: years 1 to 9999; others are nearer to nothing.
std::string step_condition(const std::string& value, const std::string& previous, const SqlType& type,
                           const Decimal& step, double rounding, const Dialect& dialect);

}  // namespace tacit
