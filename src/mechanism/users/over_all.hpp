#pragma once

#include <vector>

#include "base/units.hpp"
#include "sensitivity/users/users_analysis.hpp"

namespace tacit {

// A total that is bounded over all groups together. Let S be the sum of what a user says in all groups, in magnitude.
// With a bound T the user adds v in a group where S <= T, else about v T / S: at most T in all groups together,
// whatever their number. So Laplace noise of scale T / epsilon on every group costs epsilon. Proof: over_all.md.
//
// T is the edge of a bin of S (spread_bin, users_cells.hpp): the bin with the largest noisy score, which is minus the
// number of users beyond the bin (but not less than enough_beyond) minus search_penalty. A user moves every score by at
// most 1, all in one direction. Below `numbers` is how many numbers get the noise: the groups that are listed, 1 where
// nobody knows.

// Of the aggregate's epsilon: what the search has. The more numbers, the more users may be cut, and the less exactly
// need they be counted.
double search_share(std::size_t numbers);

// How many bins there are, from public limits alone; values beyond the last count in it.
int spread_bin_count(const UserAggregate& aggregate, bool several_groups);

// In users: how many more must be beyond a lower bin for this one to be chosen. Grows with the logarithm of T, so that
// empty bins far above the data are seldom chosen; only beyond what one row can say where that is stated, else
// beyond 1.
// A whole number, so that scores are compared exactly.
Int128 search_penalty(const UserAggregate& aggregate, int bin, Epsilon epsilon, std::size_t numbers);

// How many users beyond the bound cost no more than the noise on this many numbers: it is not worth looking further.
Int128 enough_beyond(std::size_t numbers, Epsilon noise_epsilon);

struct OverAllBound {
  int bin = 1;      // users in bins up to this one are not cut
  Int128 most = 1;  // T, in units: steps, or where `refined`, steps / spread_shares
  bool refined = true;
};
OverAllBound over_all_bound(int bin);
// The same for a stated T: users are in bin 1 or 2 (users_cells.hpp).
OverAllBound stated_over_all(Int128 most);

}  // namespace tacit
