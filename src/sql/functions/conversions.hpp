#pragma once

#include "sql/expr.hpp"

namespace tacit {

// The value-keeping steps that rules are built from. Each answers with its argument when there is nothing to do.

bool is_literal(const Expr& expr);
bool is_null_literal(const Expr& expr);
bool is_untyped_literal(const Expr& expr);  // '...' or NULL that has no type yet
bool is_interval(const Expr& expr);
const Value& literal_value(const Expr& literal);

const ExactRange& exact_range(const Expr& expr);  // of an integer, decimal, date or timestamp
const RealRange& real_range(const Expr& expr);    // of a double

// The same number in another exact type that holds every value of its range. A literal is retyped, never cast.
ExprPtr as_exact(ExprPtr number, const SqlType& type);
// Whether as_exact may be called: no digit is lost, no value of the range overflows.
bool fits_exactly(const Expr& number, const SqlType& type);

// Any number as a double, outward rounded range. Literals are converted here.
ExprPtr as_real(ExprPtr number);

// An exact number rounded half away from zero to `scale` digits.
ExprPtr rounded(ExprPtr number, int scale);

// NULL where the value lies outside the window. Literals of the engine type; the value is printed twice.
ExprPtr null_outside(ExprPtr value, const Range& window);

// The nearest value inside the bounds; NULL stays NULL, so does NaN.
ExprPtr clamped(ExprPtr value, const Range& bounds);

// A date or timestamp that the calendar knows (functions/calendar.hpp); others are NULL.
ExprPtr in_calendar(ExprPtr moment);
// The same as a timestamp; a date is its midnight.
ExprPtr as_timestamp(ExprPtr moment);

}  // namespace tacit
