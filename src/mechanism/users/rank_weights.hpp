#pragma once

#include "base/int128.hpp"
#include "base/units.hpp"

namespace tacit {

// A quantile of one group by the exponential mechanism: one of the public places in [lo, hi], or "nobody is here", is
// chosen, with a chance that falls with the number of people between the place and the quantile, or with the number of
// people at all. Guarantee and proof: rank_weights.md.
//
// Preconditions of everything here
//   1. epsilon > 0 and finite; groups_per_user >= 1; places >= 1.
//   2. 0 <= fraction <= 1.

constexpr int rank_steps = 8;

// What a quantile's epsilon pays. The least and the greatest value need no interval beyond the choice itself: the
// choice lies inside of them (rank_weights.md, "The least and the greatest").
struct QuantileShares {
  Epsilon choice;
  Epsilon interval;  // 0 for fractions 0 and 1, else a tenth
};
QuantileShares quantile_shares(Epsilon epsilon, double fraction);
constexpr bool is_extreme(double fraction) { return fraction <= 0.0 || fraction >= 1.0; }

// Whole weights by distance: a step of distance changes them by a factor of at most exp(epsilon / (2k rank_steps)).
// Equal where epsilon / k is below 2.4e-7: then the choice tells nothing.
class RankWeights {
 public:
  RankWeights(Epsilon epsilon, int groups_per_user);

  // At most 2^91.
  UInt128 of(Int128 distance) const;

  // In steps, an odd multiple of rank_steps / 2: so far from the end of the data all places beyond it together weigh at
  // most choice_failure as much as the one place where the choice should end.
  Int128 margin(int places) const;

 private:
  long double rate_ = 0.0L;  // by which the logarithm falls with a step
  Int128 end_ = 0;           // from here on all are equal
};

constexpr double choice_failure = 0.04;

// How often "nobody is here" counts beside the places. In an empty group it is chosen in 24 of 25 draws; where the
// least or the greatest value is asked for, whose interval rests on the choice alone, in 1,000 of 1,001.
constexpr int nobody_per_place(double fraction) { return is_extreme(fraction) ? 1'000 : 24; }
constexpr Int128 nobody_distance(Int128 all) { return rank_steps * all; }

// How far a place is from the quantile.
class RankTarget {
 public:
  RankTarget(double fraction, Int128 margin);

  // Of a place with `before` people below it and `within` in it, of `all`: 0 where the quantile lies in the place or a
  // fraction of a person away. A whole number that one person more or less moves by at most rank_steps.
  Int128 distance(Int128 before, Int128 within, Int128 all) const;

 private:
  bool mirrored_;  // a fraction below one half is looked for from above
  Int128 parts_;
  Int128 unit_;
  Int128 margin_;
};

// How many people lie between the answer and the quantile with that probability at most, where values are dense: the
// fraction is neither 0 nor 1, about exponential with mean 2k max(fraction, 1 - fraction) / epsilon; else the margin
// in people more. `epsilon`: of the whole quantile.
double rank_scale(Epsilon epsilon, int groups_per_user, double fraction);
double rank_error(Epsilon epsilon, int groups_per_user, double fraction, int places, double probability);

}  // namespace tacit
