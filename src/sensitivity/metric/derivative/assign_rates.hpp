#pragma once

#include "sensitivity/metric/derivative/bound.hpp"
#include "sensitivity/metric/derivative/cell.hpp"

namespace tacit {

// Gives every leaf its rate so that the bound is beta-smooth in the database norm: each product's rates, added over all
// its leaves, have a dual norm of at most beta; sums and maxima are as smooth as their worst part
// (docs/theory/calculus.md, "Smoothness"). Leaves whose stated cap is little more than what smoothing would give become
// that constant, and leave their share to others. Proof: assign_rates.md.
BoundPtr assign_rates(const BoundPtr& bound, const std::vector<Role>& roles, const PrivateColumns& columns,
                      const NormExponent& tables_combine, double beta);

}  // namespace tacit
