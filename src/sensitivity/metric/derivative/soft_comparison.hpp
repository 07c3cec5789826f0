#pragma once

#include <optional>

#include "sensitivity/metric/derivative/row_function.hpp"

namespace tacit {

// A comparison of a column of doubles with a constant, as a continuous function of the column x with values in [0, 1].
// The owner's precision a says how steep it may be:
//
//   x > c, x >= c:  1/(1 + e^{-a (x-c)})     x = c:   2/(e^{a (x-c)} + e^{-a (x-c)})
//   x < c, x <= c:  1/(1 + e^{-a (c-x)})     x <> c:  1 minus that
//
// Unlike a ramp it is nowhere quite 0 or 1: the answer to a condition is off by what lies near its border.
// Proof: soft_comparison.md.
struct SoftComparison {
  enum class Kind { above, below, equal, different };
  Kind kind = Kind::above;
  const PrivateColumn* column = nullptr;
  double center = 0.0;

  double precision() const { return *column->precision; }
  SoftComparison negated() const;
};

// Empty where the predicate is no comparison of a bare column that has a precision with a constant.
std::optional<SoftComparison> soft_comparison(const Expr& predicate, const Differentiator& differentiator);

// As SQL; 0 where the column is NULL or NaN.
Result<ExprPtr> number_of(const SoftComparison& comparison);
BoundPtr value_bound(const SoftComparison& comparison);
BoundPtr slope_bound(const SoftComparison& comparison);

}  // namespace tacit
