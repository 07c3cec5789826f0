#pragma once

#include "base/int128.hpp"
#include "base/units.hpp"

namespace tacit {

// A quantile of one group by the exponential mechanism: one of the public leaves of [lo, hi] is chosen, with a chance
// that falls with the number of people between the leaf and the quantile. Guarantee and proof: rank_weights.md.
//
// Preconditions of everything here
//   1. epsilon > 0 and finite; groups_per_user >= 1.
//   2. 0 <= fraction <= 1.

// Near the ends of the data most of [lo, hi] is as good as the quantile itself: there the tree of user_parts.md is
// used.
bool is_chosen_by_rank(double fraction);  // between 0.1 and 0.9

constexpr int rank_steps = 8;

// The distance of a leaf with `before` people below it and `within` in it, of `all`, from the quantile: 0 where the
// quantile lies in the leaf or a fraction of a person away. A whole number that one person more or less moves by at
// most rank_steps.
Int128 rank_distance(double fraction, Int128 before, Int128 within, Int128 all);

// How many people lie between the answer and the quantile on average, where values are dense: 2k max(fraction,
// 1 - fraction) / epsilon.
double rank_scale(Epsilon epsilon, int groups_per_user, double fraction);

// Whole weights by distance: a step of distance changes them by a factor of at most exp(epsilon / (2k rank_steps)).
// Equal where epsilon / k is below 2.4e-7: then the choice tells nothing.
class RankWeights {
 public:
  RankWeights(Epsilon epsilon, int groups_per_user);

  // At most 2^91.
  UInt128 of(Int128 distance) const;

 private:
  long double rate_ = 0.0L;  // by which the logarithm falls with a step
  Int128 end_ = 0;           // from here on all are equal
};

}  // namespace tacit
