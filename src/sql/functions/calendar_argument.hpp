#pragma once

#include <string_view>

#include "base/result.hpp"
#include "sql/expr.hpp"
#include "sql/functions/calendar.hpp"

namespace tacit {

// The arguments of EXTRACT and date_trunc; `takes`: the fields that the function has.
Result<const CalendarField*> field_argument(const Expr& field, std::string_view what,
                                            bool (*takes)(const CalendarField& field), int position);
Result<ExprPtr> moment_argument(ExprPtr moment, std::string_view what, int position);  // a date or timestamp

const CalendarField& field_of(const Expr& literal);  // of a bound call

}  // namespace tacit
