#pragma once

#include "base/int128.hpp"
#include "base/units.hpp"

namespace tacit {

// Laplace noise on a grid: release round(f + N) with N of density exp(-|y| / b) / 2b, b = sensitivity / epsilon; f, b
// and the release in grid units. Guarantee and proof: laplace.md. Sampler: noise/sampling/laplace_law.hpp.
//
// Preconditions of every function here
//   1. epsilon > 0 and finite.
//   2. sensitivity > 0.
//   3. 0 < probability (or coverage) < 1.

// The number that |N| stays below with this probability: -b ln(1 - probability). Nearest double, up to a few ulp.
double laplace_magnitude(Epsilon epsilon, Int128 sensitivity, double probability);

// The least integer h with P(|release - f| <= h) >= coverage for f on the grid, that is
// ceil(b ln(1 / (1 - coverage)) - 1/2), at least 0. Rounded up: never too small, and too large by at most a relative
// 2^-57. At most 10^38 - 1.
Int128 laplace_half_width(Epsilon epsilon, Int128 sensitivity, double coverage);

// Whether Laplace noise of this scale, in grid units, is as good as geometric noise: their errors agree to six digits,
// and it is faster to sample (rows/choose_rows.md).
constexpr bool laplace_is_as_good(double scale) { return scale >= 1e3 && scale <= 1e10; }

}  // namespace tacit
