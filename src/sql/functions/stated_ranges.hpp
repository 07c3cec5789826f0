#pragma once

#include <span>

#include "base/check.hpp"
#include "sql/range.hpp"

namespace tacit {

// What exact and real ranges have in common: ends that are ordered and may be stated. `Range` is ExactRange or
// RealRange.

// Where two ends have the same value, one stated claim is enough.
template <class Number>
RangeEnd<Number> smaller(const RangeEnd<Number>& a, const RangeEnd<Number>& b) {
  if (a.value == b.value) return {a.value, a.stated || b.stated};
  return a.value < b.value ? a : b;
}

template <class Number>
RangeEnd<Number> larger(const RangeEnd<Number>& a, const RangeEnd<Number>& b) {
  if (a.value == b.value) return {a.value, a.stated || b.stated};
  return a.value > b.value ? a : b;
}

// The least range that contains all. Here a tie keeps the weaker claim: every branch's values count.
template <class Range>
Range hull_of(std::span<const Range> ranges) {
  TACIT_CHECK(!ranges.empty(), "a hull is taken of at least one range");
  Range result = ranges.front();
  for (const Range& range : ranges) {
    const bool lo_tie = range.lo.value == result.lo.value;
    const bool hi_tie = range.hi.value == result.hi.value;
    const bool lo_stated = result.lo.stated && range.lo.stated;
    const bool hi_stated = result.hi.stated && range.hi.stated;
    result.lo = smaller(result.lo, range.lo);
    result.hi = larger(result.hi, range.hi);
    if (lo_tie) result.lo.stated = lo_stated;
    if (hi_tie) result.hi.stated = hi_stated;
  }
  return result;
}

// What of `a` lies in the window; the window's nearer end when nothing does.
template <class Range>
Range intersection_of(const Range& a, const Range& window) {
  Range result{larger(a.lo, window.lo), smaller(a.hi, window.hi)};
  result.lo.stated = a.lo.stated || window.lo.stated;
  result.hi.stated = a.hi.stated || window.hi.stated;
  if (result.lo.value <= result.hi.value) return result;
  const auto point = a.lo.value > window.hi.value ? window.hi : window.lo;
  return {point, point};
}

}  // namespace tacit
