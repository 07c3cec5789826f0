#pragma once

#include <optional>
#include <variant>

#include "base/decimal.hpp"
#include "base/type.hpp"
#include "base/value.hpp"

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

// The owner's bounds of a column as a range: the ends that were declared are stated, the others are the type's.
// A bound between two values of the type is moved inward. monostate when neither was declared or the type has no range.
Range declared_range(const SqlType& type, const std::optional<Value>& min, const std::optional<Value>& max);

bool same_range(const Range& a, const Range& b);  // equal ends, equally stated

constexpr double largest_read_double = 1e100;
constexpr double largest_computed_double = 1e300;

}  // namespace tacit
