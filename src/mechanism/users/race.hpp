#pragma once

#include "base/int128.hpp"
#include "base/units.hpp"

namespace tacit {

// Race to the top: a total of values >= 0 without bounds. For tau = magnitude_edge of bins 5, 9, ..., 4L + 1 (about 4,
// 16, ..., 4^L) the total Q(tau) of values truncated at tau gets noise of scale L k tau / epsilon, and so many scales,
// ln(4^level / (3 b)), are taken off that hardly ever a level exceeds Q, and a high level even less often. The largest
// wins, at least 0. Proof, and why so: race.md.

constexpr double race_failure = 0.05;  // b

// L = max(1, ceil(log4 most)). Precondition: most >= 0.
int race_levels(Int128 most);

// Where level 1 ... L truncates: after which bin of magnitudes, and at how many steps.
int race_last_bin(int level);
Int128 race_truncation(int level);

// The penalty of one level, in steps; rounded up. `failure`: b.
Int128 race_penalty(Epsilon epsilon, int groups_per_user, int levels, int level, double failure);

// With probability 1 - b the true total of one group is between the answer and the answer plus this, where no value
// exceeds `most`: twice the penalty of level L.
Int128 race_width(Epsilon epsilon, int groups_per_user, Int128 most, double failure);

}  // namespace tacit
