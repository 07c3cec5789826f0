#pragma once

#include <optional>

#include "base/units.hpp"

namespace tacit {

// Laplace noise for a smooth bound, with a delta: release f + (c / b) * Y where c is a beta-smooth bound of the
// derivative of f and Y has density exp(-|y|) / 2. Guarantee, for databases at distance at most 1, and proof:
// laplace_delta.md. Sampler: noise/sampling/laplace_law.hpp.
//
// Preconditions of both functions
//   1. epsilon finite, 0 < beta < epsilon. For beta = 0 the noise is Laplace with delta = 0: mechanism/laplace.hpp.
//   2. 0 < delta < 1.
//   3. 0 < b <= beta (epsilon - beta) / (exp(beta) - 1).

// The largest b within precondition 3 for this delta, rounded down; nothing if there is none.
std::optional<double> laplace_delta_b_down(Epsilon epsilon, Delta delta, Beta beta);

// (1 - exp(-beta)) exp(-(epsilon + beta) / (exp(beta) - 1)) cosh(b / beta): the least delta. Nearest double, up to a
// relative error of 2^-50 times the size of its logarithm.
Delta laplace_delta_of(Epsilon epsilon, Beta beta, double b);

}  // namespace tacit
