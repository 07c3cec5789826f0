#pragma once

#include "sql/expr.hpp"

namespace tacit {

// The ends of a call's range as literals of its type.
struct RangeEnds {
  Value lo;
  Value hi;
};
RangeEnds literal_ends(const Expr& call);

// Which ends of the call's range its argument does not already keep. Both for doubles, where NaN must be caught.
struct EndsToCheck {
  bool lo = false;
  bool hi = false;
};
EndsToCheck ends_to_check(const Expr& call, const Expr& value);

// A number of days or microseconds, or a plain number, as a value of the type.
Value exact_value(const Decimal& number, const SqlType& type);

}  // namespace tacit
