#pragma once

#include <optional>

#include "sensitivity/metric/derivative/grid_set.hpp"
#include "sensitivity/metric/derivative/row_function.hpp"

namespace tacit {

// What a predicate over one private column and constants selects: points of the column's grid. Between grid points the
// predicate is interpolated linearly (docs/theory/calculus.md, "Conditions on a grid"), so it is continuous with slope
// 1 / step on the change intervals.
struct ColumnSet {
  const PrivateColumn* column = nullptr;
  GridSet set = GridSet::none();
  Decimal step{1, 0};  // in the column's own unit; dates: days, timestamps: microseconds
  // The engine's type holds grid points only: the plain filter is the interpolated one.
  bool is_exact = true;

  double slack() const;              // a ramp's steps differ from the declared one by at most this share
  double step_in_metric() const;     // in the metric's unit
  double point(Int128 index) const;  // in the metric's unit
};

// The set that a predicate describes, when it reads one private column, compares it with constants only, and the column
// has a grid: its type's, or the step its owner declared. Empty otherwise.
std::optional<ColumnSet> fold_to_set(const ExprPtr& predicate, const Differentiator& differentiator);

// The intervals on which the interpolated predicate changes, with its slope there.
std::vector<Bump> change_bumps(const ColumnSet& set);

// Bound of the slope: 1 / step on the change intervals, decaying away from them where the column has a position.
BoundPtr slope_bound(const ColumnSet& set);
// Bound of the value: 1 where the predicate is not 0, decaying away from there.
BoundPtr support_bound(const ColumnSet& set);

// The position of the column on the line as predicates read it, in the metric's unit: a total number. Null:
// constants must do.
ExprPtr position_of(const PrivateColumn& column);

// A leaf that decays with the column's distance from the bumps; the constant where it has no position.
BoundPtr decay_bound(const PrivateColumn& column, std::vector<Bump> bumps);

// The interpolated predicate as SQL: 1 inside, 0 outside, linear on the change intervals. A number in [0, 1], 0
// where the column is NULL. REQUIRES a number column.
Result<ExprPtr> ramp_of(const ColumnSet& set);
// `x` between the ends of one of the intervals, and strictly inside them widened by one step.
Result<ExprPtr> core_condition(const ColumnSet& set);
Result<ExprPtr> support_condition(const ColumnSet& set);

}  // namespace tacit
