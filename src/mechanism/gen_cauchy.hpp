#pragma once

#include <optional>

#include "base/units.hpp"

namespace tacit {

// Generalized Cauchy noise: release f + (c / b) * Y where c is a beta-smooth bound of the derivative of f and Y has
// density ~ 1 / (1 + |y|^gamma). Tacit releases with gamma = 4; b is given for every gamma. Guarantee and proof:
// gen_cauchy.md. Sampler: noise/sampling/gen_cauchy_law.hpp.
//
// Preconditions of every function here
//   1. epsilon > 0, beta >= 0, both finite.
//   2. gamma > 1 and finite.
//   3. 0 < probability < 1, y finite.
inline constexpr double gen_cauchy_gamma = 4.0;

// The largest b that is epsilon-private, rounded down by at most a relative 2^-48 (more where epsilon and
// (gamma - 1) beta agree to many bits). Nothing if beta is too large for epsilon: with gamma >= 2 it must be below
// epsilon / (gamma - 1), with gamma <= 2 below epsilon.
std::optional<double> gen_cauchy_b_down(Epsilon epsilon, Beta beta, double gamma = gen_cauchy_gamma);

// -(ln density)'(y) for y >= 0, any gamma.
double gen_cauchy_slope(double gamma, double y);

// For gamma = 4: the number that |Y| stays below with this probability, and ln density. Nearest double, up to a few
// ulp.
double gen_cauchy_magnitude(double probability);
double gen_cauchy_log_density(double y);

}  // namespace tacit
