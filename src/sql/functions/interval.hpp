#pragma once

#include "sql/expr.hpp"
#include "sql/functions/calendar.hpp"

namespace tacit {

// An interval is a call of the rule "interval" over its three parts as literals. It has no type of its own: only + and
// - beside a date or timestamp take it.
ExprPtr make_interval(const Interval& interval, int position);
Interval interval_of(const Expr& expr);
Interval negated(const Interval& interval);

}  // namespace tacit
