#pragma once

#include <cstddef>
#include <vector>

#include "sensitivity/contribution/users_analysis.hpp"

namespace tacit {

// The shape of the engine's answer in the users model: rewrite/ prints it, noise/ reads it. A row is
//
//   the query's keys | part | bin | cells
//
// part 0, bin 0: the group. cells[0]: how many users it has. Then, at first_cell of each aggregate that has cells here
//   (bounds stated; not quantile, not distinct), over the users' values clamped to the bounds:
//     total                sum
//     mean                 users that say something, sum
//     variance, deviation  users that say something, sum, sum of squares
// part i + 1: aggregate i by bins, one row for each bin that is not empty.
//     inferred bounds      bin = magnitude_bin of the user's value; cells: users, sum, sum of squares (variance and
//                          deviation; else 0). NULL values are in no bin
//     quantile             bin = leaf 0 ... quantile_leaves - 1 of [lo, hi]; cells: users
//     distinct             bin 0; cells: how many different values
// Cells that a part does not use are 0. All numbers are whole steps of the value's grid (sums), their squares, or
// counts.
struct UsersCells {
  std::vector<std::size_t> first_cell;  // per aggregate; 0: it has no cells in part 0
  std::size_t cells = 1;                // how many a row has
};
UsersCells users_cells(const UsersAnalysis& analysis);

bool has_bins(const UserAggregate& aggregate);  // it has a part of its own

// The bin of a value x in steps: 0 for 0, 1 + ceil(2 log2 |x|) otherwise, negative for negative x. The engine computes
// the logarithm in doubles: a value may be in the next bin, but every value in bins up to b (b > 0) is at most
// magnitude_edge(b), the proof's number: floor(2^((b - 1) / 2) (1 + 2^-30)).
int magnitude_bin(Int128 value);
Int128 magnitude_edge(int bin);

constexpr int quantile_leaves = 65'536;

}  // namespace tacit
