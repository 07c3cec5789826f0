#pragma once

#include "base/int128.hpp"
#include "base/units.hpp"

namespace tacit {

// Race to the top: a total of values >= 0 without bounds. For tau = magnitude_edge of bins 3, 5, ..., 2L + 1 (about 2,
// 4, ..., 2^L) the total Q(tau) of values truncated at tau gets noise of scale L k tau / epsilon, and a penalty
// L ln(L / b) k tau / epsilon is taken off, so that with probability 1 - b none exceeds Q. The largest wins, at least
// 0. Proof: race.md.

constexpr double race_failure = 0.05;  // b

// L = max(1, ceil(log2 most)). Precondition: most >= 0.
int race_levels(Int128 most);

// Where level 1 ... L truncates, in steps.
Int128 race_truncation(int level);

// The penalty of one level, in steps; rounded up. `failure`: b.
Int128 race_penalty(Epsilon epsilon, int groups_per_user, int levels, int level, double failure);

// With probability 1 - b the true total of one group is between the answer and the answer plus this, where no value
// exceeds `most`: 4 L ln(L / b) max(1, most) k / epsilon (THEORY 12).
Int128 race_width(Epsilon epsilon, int groups_per_user, Int128 most, double failure);

}  // namespace tacit
