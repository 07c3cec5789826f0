#pragma once

#include "base/int128.hpp"
#include "base/units.hpp"

namespace tacit {

// Two-sided geometric noise X on the integers: P(X = k) = (1-r)/(1+r) r^|k|, r = exp(-epsilon / sensitivity), in grid
// units. Guarantee and proof: geometric.md. Sampler: noise/sampling/geometric_sampler.hpp.
//
// Preconditions of every function here
//   1. epsilon > 0 and finite.
//   2. sensitivity > 0.
//   3. 0 < coverage < 1.

// The least k with P(|X| <= k) = 1 - 2 r^(k+1) / (1+r) >= coverage. Rounded up: never too small, and too large by at
// most a relative 2^-55 when coverage >= 1/4. At most 10^38 - 1.
Int128 geometric_half_width(Epsilon epsilon, Int128 sensitivity, double coverage);

}  // namespace tacit
