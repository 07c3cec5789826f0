#include "sensitivity/metric/derivative/grid_set.hpp"

#include <algorithm>

#include "base/work_limit.hpp"

namespace tacit {
namespace {

constexpr int most_digits = 30;

// Ends are compared as if absent ones were infinite.
bool lower_first(const GridSet::Interval& a, const GridSet::Interval& b) {
  if (!a.lo || !b.lo) return !a.lo && b.lo.has_value();
  return *a.lo < *b.lo;
}

// b starts no later than one step after a ends (a starts first).
bool touches(const GridSet::Interval& a, const GridSet::Interval& b) { return !a.hi || !b.lo || *b.lo <= *a.hi + 1; }

std::optional<Int128> later_end(const std::optional<Int128>& a, const std::optional<Int128>& b) {
  if (!a || !b) return std::nullopt;
  return std::max(*a, *b);
}

Int128 floor_quotient(Int128 a, Int128 b) {  // b > 0
  const Int128 quotient = a / b;
  return quotient * b > a ? quotient - 1 : quotient;
}

}  // namespace

GridSet GridSet::united(const GridSet& other) const {
  std::vector<Interval> all = intervals_;
  all.insert(all.end(), other.intervals_.begin(), other.intervals_.end());
  return union_of(std::move(all));
}

GridSet GridSet::union_of(std::vector<Interval> intervals) {
  count_work(2 * intervals.size());
  std::sort(intervals.begin(), intervals.end(), lower_first);
  GridSet result;
  for (const auto& interval : intervals) {
    if (!result.intervals_.empty() && touches(result.intervals_.back(), interval)) {
      auto& last = result.intervals_.back();
      last.hi = later_end(last.hi, interval.hi);
    } else {
      result.intervals_.push_back(interval);
    }
  }
  return result;
}

GridSet GridSet::complement() const {
  GridSet result;
  std::optional<Int128> next;  // first point after what was seen; absent: nothing seen yet
  bool ended = false;
  for (const auto& interval : intervals_) {
    if (interval.lo) result.intervals_.push_back({next, *interval.lo - 1});
    ended = !interval.hi;
    if (interval.hi) next = *interval.hi + 1;
  }
  if (!ended) result.intervals_.push_back({next, std::nullopt});
  return result;
}

GridSet GridSet::intersected(const GridSet& other) const {
  return complement().united(other.complement()).complement();
}

std::optional<Int128> index_below(const Decimal& value, const Decimal& step) {
  const int scale = std::max(value.scale, step.scale);
  const auto a = rescale(value, scale);
  const auto b = rescale(step, scale);
  if (!a || !b || b->units <= 0) return std::nullopt;
  const Int128 index = floor_quotient(a->units, b->units);
  if (digits(index) > most_digits) return std::nullopt;
  return index;
}

std::optional<Int128> index_above(const Decimal& value, const Decimal& step) {
  const auto below = index_below(Decimal{-value.units, value.scale}, step);
  if (!below) return std::nullopt;
  return -*below;
}

}  // namespace tacit
