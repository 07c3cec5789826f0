#pragma once

#include "base/int128.hpp"
#include "base/units.hpp"

namespace tacit {

// Gaussian noise for a vector that one user moves by at most 1 in the l2 norm: release f + s Z, Z standard normal, each
// number rounded to its grid. Guarantee and proof: gaussian.md. Sampler: noise/sampling/gaussian_law.hpp.
//
// Preconditions
//   1. epsilon > 0 and finite.
//   2. 0 < delta < 1.

// The least s with Phi(1/(2s) - epsilon s) - exp(epsilon) Phi(-1/(2s) - epsilon s) <= delta. Rounded up: never too
// small, and too large by at most a relative 2^-30 for delta >= 10^-30.
double gaussian_deviation_up(Epsilon epsilon, Delta delta);

// The same noise in zero-concentrated privacy: rho = 1 / (2 s^2).
double gaussian_rho(double deviation);

// The number that |Z| stays below with this probability, 0 < probability < 1; rounded up by at most a relative 2^-40.
double normal_magnitude_up(double probability);

// A width h with P(|release - f| <= h) >= coverage for f on the grid and the noise's deviation in grid units:
// ceil(deviation * magnitude - 1/2), at least 0, at most 10^38 - 1.
Int128 gaussian_half_width(double deviation, double coverage);

}  // namespace tacit
