#pragma once

#include "base/units.hpp"

namespace tacit {

// Power-Laplace noise: release f + c * Y where c is a beta-smooth bound of the derivative of f. With k = epsilon / beta
//
//   density of Y  ~  (1 - beta |y|)^(k-1)                          for |y| <= 1 / epsilon,
//                    (1 - 1/k)^(k-1) (1 + 1/k)^(k+1) / (1 + beta |y|)^(k+1)     beyond.
//
// Its loss is epsilon everywhere; no other symmetric noise for such a bound is smaller. Guarantee and proof:
// power_laplace.md. Sampler: noise/sampling/power_laplace_law.hpp.
//
// Preconditions of every function here
//   1. epsilon is finite.
//   2. 0 < beta < epsilon. For beta = 0 the noise is Laplace of scale 1 / epsilon: mechanism/laplace.hpp.
//   3. 0 < probability (or coverage) < 1, y finite.

// The number that |Y| stays below with this probability. Nearest double, up to a few ulp.
double power_laplace_magnitude(Epsilon epsilon, Beta beta, double probability);

// At least that number, and too large by at most a relative 2^-48: |f + c * Y - f| <= c * half_width with at least this
// coverage. Rounding the release to a grid adds half a step.
double power_laplace_half_width(Epsilon epsilon, Beta beta, double coverage);

double power_laplace_log_density(Epsilon epsilon, Beta beta, double y);

// -(ln density)'(y) for y >= 0 (from the right at 0).
double power_laplace_slope(Epsilon epsilon, Beta beta, double y);

}  // namespace tacit
