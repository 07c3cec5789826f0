#pragma once

#include <span>

#include "base/result.hpp"
#include "sql/expr.hpp"

namespace tacit {

// + and - beside dates, timestamps and intervals, as PostgreSQL types them:
//   date + integer, integer + date, date - integer   -> date
//   date - date                                      -> integer (days)
//   date or timestamp + interval, - interval, interval + date or timestamp -> timestamp
// Operands and results outside the calendar (functions/calendar.hpp) are NULL.
bool is_date_arithmetic(std::span<const ExprPtr> args);
Result<ExprPtr> bind_date_arithmetic(std::vector<ExprPtr> args, bool is_sum, int position);

}  // namespace tacit
