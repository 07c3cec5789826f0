#pragma once

#include <vector>

#include "sensitivity/users/users_analysis.hpp"

namespace tacit {

// The numbers that are released for one statistic of one group, and how far one user moves them, once the users' values
// are known to lie in [lo, hi]. Proof: user_parts.md. In steps of the value's grid:
//
//   total       sum of x                                          max(|lo|, |hi|)
//   distinct    number of different values                        hi
//   mean        sum of (x - lo), sum of (hi - x)                   hi - lo for both together (l1, so l2 too)
//   variance    number of values; sum of y; sum of 2 y^2 - w^2     1, w, w^2 with y = 2x - lo - hi, w = hi - lo
//   deviation   the same
//   quantile    people in rings around a choice (rank_interval.md)  1; the choice itself: rank_weights.hpp
//
// Never 0: a number that nobody can move is treated as one that moves by a step.
Int128 total_sensitivity(const UserBounds& bounds);
std::vector<Int128> part_sensitivities(UserStatistic statistic, const UserBounds& bounds);

// How many equal parts divide an aggregate's epsilon: 3 for variances, else 1.
int epsilon_parts(UserStatistic statistic);

}  // namespace tacit
