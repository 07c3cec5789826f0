#pragma once

#include <compare>
#include <optional>

#include "base/result.hpp"
#include "base/type.hpp"
#include "base/value.hpp"

namespace tacit {

// Whether the type has an order and distances: numbers, dates (in days) and timestamps (in seconds).
bool is_measurable(const SqlType& type);

// A bound or domain value of the policy as a value of a column's type, exactly or not at all:
//   integer       a whole number within the type's bits: Decimal of scale 0
//   decimal(p,s)  a number of at most s digits after the point and p in all: Decimal of scale s
//   double        a number: double
//   date          a date, or text that is one
//   timestamp     a date and time without zone, a date (its midnight), or text that is one
//   boolean, text themselves
// Text that is a decimal counts as a number. The failure's sentence says what was expected.
Result<Value> fit_value(const Value& value, const SqlType& type);

// A granularity, as fit_value; for dates in whole days, for timestamps in seconds of at most six digits.
Result<Decimal> fit_step(const Decimal& step, const SqlType& type);

// The order of two values; empty when their kinds do not compare. A date compares with a timestamp as its midnight.
std::optional<std::partial_ordering> compare_bounds(const Value& a, const Value& b);

// A strict order over all values, for sets of them.
struct ValueLess {
  bool operator()(const Value& a, const Value& b) const;
};

}  // namespace tacit
