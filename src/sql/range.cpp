#include "sql/range.hpp"

#include <algorithm>
#include <limits>

#include "base/check.hpp"

namespace tacit {
namespace {

Int128 largest_integer(int bits) {
  TACIT_CHECK(bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128, "an integer has 8 to 128 bits");
  // Two steps, because 2^127 itself does not fit.
  return ((static_cast<Int128>(1) << (bits - 2)) - 1) * 2 + 1;
}

ExactRange unstated(Int128 lo, Int128 hi, int scale) { return {{{lo, scale}, false}, {{hi, scale}, false}}; }

// The bound as an exact number of the type's scale, rounded into the range.
std::optional<Decimal> exact_bound(const Value& bound, int scale, bool is_lower) {
  if (const auto* number = std::get_if<Decimal>(&bound)) {
    return is_lower ? rescale_up(*number, scale) : rescale_down(*number, scale);
  }
  if (const auto* date = std::get_if<Date>(&bound)) return Decimal{date->days, 0};
  if (const auto* timestamp = std::get_if<Timestamp>(&bound)) return Decimal{timestamp->microseconds, 0};
  return std::nullopt;
}

std::optional<double> real_bound(const Value& bound) {
  if (const auto* number = std::get_if<Decimal>(&bound)) return to_double(*number);
  if (const auto* number = std::get_if<double>(&bound)) return *number;
  return std::nullopt;
}

template <class Number>
bool same_end(const RangeEnd<Number>& a, const RangeEnd<Number>& b) {
  return a.value == b.value && a.stated == b.stated;
}

}  // namespace

bool same_range(const Range& a, const Range& b) {
  if (a.index() != b.index()) return false;
  if (const auto* exact = std::get_if<ExactRange>(&a)) {
    const auto& other = std::get<ExactRange>(b);
    return same_end(exact->lo, other.lo) && same_end(exact->hi, other.hi);
  }
  if (const auto* real = std::get_if<RealRange>(&a)) {
    const auto& other = std::get<RealRange>(b);
    return same_end(real->lo, other.lo) && same_end(real->hi, other.hi);
  }
  return true;
}

Range type_range(const SqlType& type) {
  switch (type.kind) {
    case TypeKind::integer: {
      const Int128 largest = largest_integer(type.bits);
      return unstated(-largest - 1, largest, 0);
    }
    case TypeKind::decimal: {
      const Int128 largest = power_of_ten(type.precision) - 1;
      return unstated(-largest, largest, type.scale);
    }
    case TypeKind::real: return RealRange{{-largest_read_double, false}, {largest_read_double, false}};
    case TypeKind::date:
      return unstated(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), 0);
    case TypeKind::timestamp:
      return unstated(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), 0);
    case TypeKind::unknown:
    case TypeKind::boolean:
    case TypeKind::text: return std::monostate{};
  }
  TACIT_CHECK(false, "every type has a range");
}

Range declared_range(const SqlType& type, const std::optional<Value>& min, const std::optional<Value>& max) {
  if (!min && !max) return std::monostate{};
  Range range = type_range(type);
  if (auto* exact = std::get_if<ExactRange>(&range)) {
    const auto lo = min ? exact_bound(*min, type.scale, true) : std::nullopt;
    const auto hi = max ? exact_bound(*max, type.scale, false) : std::nullopt;
    // A declared bound beyond the type's limit still states that limit.
    if (lo) exact->lo = {std::clamp(*lo, exact->lo.value, exact->hi.value), true};
    if (hi) exact->hi = {std::clamp(*hi, exact->lo.value, exact->hi.value), true};
  } else if (auto* real = std::get_if<RealRange>(&range)) {
    const auto lo = min ? real_bound(*min) : std::nullopt;
    const auto hi = max ? real_bound(*max) : std::nullopt;
    if (lo) real->lo = {std::clamp(*lo, -largest_read_double, largest_read_double), true};
    if (hi) real->hi = {std::clamp(*hi, -largest_read_double, largest_read_double), true};
  }
  return range;
}

}  // namespace tacit
