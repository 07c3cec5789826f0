#pragma once

#include "soundness/metric/world.hpp"

namespace tacit::soundness::metric {

// The distance of two versions of one database, from the owner's words alone: none of Tacit's own code computes it.
// Infinite where a public cell differs, a number becomes NULL, or a row is not private.
double distance(const World& world, const Data& a, const Data& b);

// (sum of v^p)^(1/p), or the largest.
double norm(double exponent, const std::vector<double>& values);

}  // namespace tacit::soundness::metric
