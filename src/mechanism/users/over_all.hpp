#pragma once

#include <cstddef>
#include <vector>

#include "base/units.hpp"
#include "mechanism/users/users_plan.hpp"
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

// In users: how many more must be beyond a lower bin for this one to be chosen. Grows with the logarithm of T (octaves:
// spread_octaves of the bin), so that empty bins far above the data are seldom chosen; only beyond what one row can say
// where that is stated, else beyond 1.
// A whole number, so that scores are compared exactly.
Int128 search_penalty(const UserAggregate& aggregate, double octaves, Epsilon epsilon, std::size_t numbers);
double spread_octaves(int bin);

// How many users beyond the bound cost no more than the noise on this many numbers: it is not worth looking further.
Int128 enough_beyond(std::size_t numbers, Epsilon noise_epsilon);

// In l2 instead: S is the root of the sum of squares, a user adds a vector of at most that length, and Gaussian noise
// of deviation s T on every group, s that of gaussian.hpp, pays for it. Over many groups a user's length is much
// smaller than the sum. Bins of both are candidates of one search; their noise is compared by euclidean_octaves.
//
// What `deviation` makes of 1 / epsilon for the same T, on average, as a power of two.
double euclidean_octaves(double deviation, Epsilon epsilon);
// s, with room for what the engine's doubles round.
double euclidean_deviation(Epsilon epsilon, Delta delta);
// Whether that may be worth a try where a user has at most so many groups: of a user who is in all of them alike the
// square of the sum is `groups` times that of the length.
bool may_be_euclidean(double deviation, Epsilon epsilon, std::size_t groups);

// The totals over all groups for which lengths are tried beside sums, and what each has of delta: all of them together
// half of it where others may have a Gaussian vector. Listed groups alone: what is added up afterwards has no length.
struct TriedLengths {
  std::vector<std::size_t> aggregates;
  Delta each;
  Delta rest;  // for that vector
};
TriedLengths try_lengths(const UsersAnalysis& users, const UsersPlan& laplace, Delta delta, bool others);

struct OverAllBound {
  int bin = 1;             // users in bins up to this one are not cut
  Int128 most = 1;         // T, in units
  Int128 per_step = 1;     // units in a step
  bool euclidean = false;  // bins and T are of lengths
};
OverAllBound over_all_bound(int bin);
OverAllBound euclidean_bound(int bin);
// The same for a stated T: users are in bin 1 or 2 (users_cells.hpp).
OverAllBound stated_over_all(Int128 most);

}  // namespace tacit
