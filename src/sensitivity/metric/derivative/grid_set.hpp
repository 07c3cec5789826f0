#pragma once

#include <optional>
#include <vector>

#include "base/decimal.hpp"
#include "base/int128.hpp"

namespace tacit {

// A set of grid points n * step, by index n: a union of disjoint intervals in ascending order that do not touch. What a
// predicate over one column with constants says (docs/theory/calculus.md, "Conditions on a grid").
class GridSet {
 public:
  struct Interval {  // both ends belong to it; an absent end is infinite
    std::optional<Int128> lo;
    std::optional<Int128> hi;
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  static GridSet none() { return {}; }
  static GridSet all() { return GridSet({Interval{}}); }
  static GridSet at_most(Int128 n) { return GridSet({Interval{std::nullopt, n}}); }
  static GridSet at_least(Int128 n) { return GridSet({Interval{n, std::nullopt}}); }
  static GridSet only(Int128 n) { return GridSet({Interval{n, n}}); }
  static GridSet union_of(std::vector<Interval> intervals);  // in any order, and they may overlap

  GridSet complement() const;
  GridSet united(const GridSet& other) const;
  GridSet intersected(const GridSet& other) const;

  const std::vector<Interval>& intervals() const { return intervals_; }
  bool is_empty() const { return intervals_.empty(); }
  bool is_all() const { return intervals_.size() == 1 && !intervals_[0].lo && !intervals_[0].hi; }
  friend bool operator==(const GridSet&, const GridSet&) = default;

 private:
  GridSet() = default;
  explicit GridSet(std::vector<Interval> intervals) : intervals_(std::move(intervals)) {}
  std::vector<Interval> intervals_;
};

// value / step rounded down, and up; empty beyond 10^30.
std::optional<Int128> index_below(const Decimal& value, const Decimal& step);
std::optional<Int128> index_above(const Decimal& value, const Decimal& step);

}  // namespace tacit
