#pragma once

#include <optional>
#include <vector>

#include "base/units.hpp"
#include "sensitivity/users/users_analysis.hpp"

namespace tacit {

// Bounds nobody stated are read off a noisy histogram of the magnitudes of the users' values (magnitude_bin), over all
// groups together: a user adds at most k values, so each bin has noise of scale k / epsilon, empty ones included. A bin
// counts when it exceeds t. Proof: magnitude_histogram.md.

// The bins that the public limits of a value allow.
struct BinRange {
  int first = 0;
  int last = 0;

  int count() const { return last - first + 1; }
};
BinRange magnitude_bins(const UserValue& value);

// t = -ln(2 - 2 P^(1/(B-1))) k / epsilon: with probability P none of B - 1 empty bins exceeds it. Preconditions:
// epsilon > 0 finite, bins >= 1, k >= 1, 1/2 < P < 1.
double bounds_threshold(Epsilon epsilon, int bins, int groups_per_user, double probability);

// The same for the sum of `width` neighbouring bins, as a multiple of the scale k / epsilon, by Chernoff's bound:
// values that spread over many bins stand out together where no single bin does.
double window_threshold(int bins, double probability, int width);

// Which bins hold values, from the noisy counts: the lowest and the highest that stand out, alone or in a window of 2,
// 4 or 8 bins beyond those (its middle). noisy[0] is the bin `first_bin`. `threshold`: bounds_threshold at
// bounds_confidence. Far from everything else a bin must exceed it; within a factor of 4 of what was found, one that is
// seldom empty is enough; where nothing exceeds it, lower thresholds are tried, the lowest up to the bin `last_small`.
// Empty when nothing does. Positions in `noisy`. Reads the noisy counts alone, so it costs nothing.
constexpr double bounds_confidence = 1.0 - 1e-9;
std::optional<BinRange> standing_out(const std::vector<double>& noisy, double threshold, int first_bin, int last_small);
int last_small_bin(const UserValue& value);  // that of 1024 in the value's own units

}  // namespace tacit
