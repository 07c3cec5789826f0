#pragma once

#include <memory>

#include "base/units.hpp"
#include "noise/sampling/quantile_law.hpp"

namespace tacit {

// The law of Y in f + c * Y; it has no other scale. With kappa = beta / epsilon and the constants Z and v* of
// mechanism/power_laplace.md ("Facts", where the guarantee is, too)
//
//   m(v) = (1 - (1 - (1-v) Z)^kappa) / beta        for v >= v*
//   m(v) = ((1 + kappa) (v*/v)^kappa - 1) / beta   for v <= v*.
//
// v* is irrational or not, and known only as an interval: for a v inside it the enclosure is the hull of what either
// formula gives, which shrinks to m(v*) = 1 / epsilon. Preconditions: epsilon finite, 0 < beta < epsilon, both read as
// the rational numbers that they are.
std::shared_ptr<const QuantileLaw> power_laplace_law(Epsilon epsilon, Beta beta);

}  // namespace tacit
