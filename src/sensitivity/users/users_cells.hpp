#pragma once

#include <cstddef>
#include <vector>

#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// The shape of the engine's answer in the users model: rewrite/ prints it, noise/ reads it. A row is
//
//   the query's keys | part | level | bin | cells
//
// level: 0, or where a user's number of groups is found privately (infers_groups), the least of group_levels that is
// not
//   below the user's place of this group: a user is in the cells of levels up to k in at most k groups.
// part 0, bin 0: the group. cells[0]: how many users it has. Then, at first_cell of each aggregate that has cells here
//   (bounds stated; not quantile, not distinct), UserStatistic::cells over the users' values clamped to the bounds.
// part i + 1: aggregate i by bins, one row for each bin that is not empty.
//     inferred bounds      bin = magnitude_bin of the user's value; cells: users, sum, sum of squares (0 unless the
//                          statistic adds them up). NULL values are in no bin
//     quantile             bin = leaf 0 ... quantile_leaves - 1 of [lo, hi]; cells: users
//     distinct             bin 0; cells: how many different values; with levels: whose least level this is
//     over all groups      bin = spread_bin of S, what the user says in all groups together, or with a stated bound 1
//                          where S is within it and 2 beyond; level 0; cells: users whose first group this is, sum of
//                          v, sum of sign(v) floor(spread_shares |v| / S)
// part (number of aggregates) + 2 + i, where aggregate i over all groups may be bounded in l2: the same rows with the
//   root of the sum of v^2 for S, and v in it and in the shares at most longest_length in magnitude.
// part (number of aggregates) + 1, with infers_groups: keys NULL; bin = place, up to groups_per_user; cells: how many
//   users have a group of that place, that is, at least so many groups.
// Cells that a part does not use are 0. All numbers are whole steps of the value's grid (sums), their squares, or
// counts.
struct UsersCells {
  std::vector<std::size_t> first_cell;  // per aggregate; 0: it has no cells in part 0
  std::size_t cells = 1;                // how many a row has
};
UsersCells users_cells(const UsersAnalysis& analysis);

bool has_bins(const UserAggregate& aggregate);  // it has a part of its own
// The cells of that part, where it is not over all groups.
std::vector<UserCell> bin_cells(const UserStatistic& statistic);

// The bin of a value x in steps: 0 for 0, 1 + ceil(2 log2 |x|) otherwise, negative for negative x. The engine computes
// the logarithm in doubles: a value may be in the next bin, but every value in bins up to b (b > 0) is at most
// magnitude_edge(b), the proof's number: floor(2^((b - 1) / 2) (1 + 2^-30)).
int magnitude_bin(Int128 value);
Int128 magnitude_edge(int bin);

// The same with eight bins for each doubling, of a sum of magnitudes: 0 for 0, 1 + ceil(8 log2 S).
constexpr int spread_bins_per_octave = 8;
int spread_bin(Int128 sum);
Int128 spread_edge(int bin);
constexpr int spread_shares = 65'536;
// Longer values count as this long in lengths, so that squares of 128 bits add up for 2^31 groups; no bound on lengths
// reaches it.
constexpr Int128 longest_length = Int128{1} << 48;
constexpr int last_length_bin = 48 * spread_bins_per_octave;

// The numbers of groups that are tried where nobody stated one: up to `most`, which is the last.
std::vector<int> group_levels(int most);
constexpr int most_tried_groups = 1024;

// Whether the statement puts a user's groups with these keys before all others, so that the first is a listed one: a
// list of one key, short and without NULL.
bool comes_first(const ListedKeys& listed);
constexpr std::size_t longest_first_list = 1'000;  // a longer list would cost more than it gives

constexpr int quantile_leaves = 65'536;

}  // namespace tacit
