#pragma once

#include "noise/users/user_column.hpp"

namespace tacit {

// Exact: never leaves noise/ without noise.
struct ClampedSums {
  Int128 users = 0;
  Int128 sum = 0;
  Int128 squares = 0;
};

// Every value in the bin lies between these, whichever of two neighbouring bins the engine's logarithm chose
// (sensitivity/users/users_cells.hpp), and within the value's public limits.
UserBounds values_of_bin(int bin, const UserValue& value);

// Of the values in the bins, each moved into the bounds: a bin that lies within them counts as it is, from any other
// bin every value is moved to the nearer bound.
ClampedSums clamped_sums(const Bins& bins, const UserValue& value, const UserBounds& bounds);

// What the statistic adds up over the users of the group: its cells (UserStatistic::cells), or where bounds were
// inferred the bins' sums within these.
ClampedSums sums_of(const UserGroup& group, const UserColumnPlan& plan, const UserBounds& bounds);

// True where values of the bin are moved.
bool is_clipped(int bin, const UserValue& value, const UserBounds& bounds);

}  // namespace tacit
