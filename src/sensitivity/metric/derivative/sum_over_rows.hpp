#pragma once

#include <functional>

#include "sensitivity/metric/derivative/bound.hpp"

namespace tacit {

// A bound of one join row added up over the join rows that contain one row of a role, as a bound again. What reads the
// role's own columns only is the same in all of them and stands outside the sum. One magnitude without a cap is added
// up itself, which is Lipschitz too (the universal rule of docs/theory/calculus.md, "Leaves", for sums), and so
// smoother than a sum of smoothed magnitudes; what is not of that form is smoothed row by row.
//
// `is_own`: whether a statistic reads the role's own columns and public constants only.
// `fan_out`: at most how many join rows contain one row of the column's role; 0: no bound.
// Proof: sum_over_rows.md.
BoundPtr sum_over_rows(const BoundPtr& of_row, const std::function<bool(const Expr&)>& is_own,
                       const std::function<long long(const Column*)>& fan_out);

// Whether both engines add up the magnitudes of a statistic exactly, however many rows there are: at most 18 digits.
// Others are added up as doubles, which do not overflow.
bool adds_up_exactly(const Expr& statistic);

}  // namespace tacit
