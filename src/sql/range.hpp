#pragma once

#include <optional>
#include <variant>

#include "base/decimal.hpp"
#include "base/type.hpp"

namespace tacit {

// An end of a range. `stated` ends come from a declared bound, a literal or a function's own range and may carry a
// sensitivity; the others are only the column type's limit, good enough to prove that nothing overflows.
template <class Number>
struct RangeEnd {
  Number value{};
  bool stated = false;
};

// Every non-NULL value of the expression lies in [lo, hi]. Integers and decimals; dates in days, timestamps in
// microseconds.
struct ExactRange {
  RangeEnd<Decimal> lo;
  RangeEnd<Decimal> hi;
  bool stated() const { return lo.stated && hi.stated; }
};

// The same for doubles; ends are rounded outward. Never NaN or infinite: such values are read as NULL.
struct RealRange {
  RangeEnd<double> lo;
  RangeEnd<double> hi;
  bool stated() const { return lo.stated && hi.stated; }
};

using Range = std::variant<std::monostate, ExactRange, RealRange>;  // monostate: text and boolean

// What the type alone promises, nothing stated. Doubles: magnitude at most 1e100 (larger ones are read as NULL).
Range type_range(const SqlType& type);

constexpr double largest_read_double = 1e100;
constexpr double largest_computed_double = 1e300;

}  // namespace tacit
