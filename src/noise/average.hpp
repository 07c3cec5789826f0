#pragma once

#include "base/value.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

enum class Rounding { down, nearest, up };

// The average of numbers in [lo, hi] from the two sums a = sum of (x - lo) and b = sum of (hi - x):
//
//   lo + (hi - lo) a / (a + b),   non-decreasing in a, non-increasing in b.
//
// Computed exactly and rounded once, to a step finer than the grid: the column type's scale for decimals (6 digits
// below the grid when the column is a double), 20 bits below a binary grid, each as far as it fits. The step depends
// on public facts only.
class Average {
 public:
  Average(const RowsAggregate& aggregate, const SqlType& type);
  Value at(UInt128 a, UInt128 b, Rounding rounding) const;  // a + b is positive and below 2^128

 private:
  Value in_column_type(Int128 units, Rounding rounding) const;

  SqlType type_;
  Grid step_;
  Int128 lo_;       // in units of step_
  UInt128 spread_;  // hi - lo
};

}  // namespace tacit
