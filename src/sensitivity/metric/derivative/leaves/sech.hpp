#pragma once

#include "sensitivity/metric/derivative/leaves/leaf.hpp"

namespace tacit {

// The smallest smooth bounds of f(s) = 2/(e^{a s} + e^{-a s}) = sech(a s) of a position s and of its slope
// |f'(s)| = a sech(a s) |tanh(a s)|. Each is logarithmically concave (the slope: on either side of 0): the bound is the
// function itself where its logarithm is no steeper than `rate`, and goes on from there as an exponential of that rate.
// Never below e^{-690} of the largest value. The slope uses a rate of at most 64 a.
//
// Preconditions (sech.md): 1. 1e-100 <= precision a <= 1e100;  2. rate >= 0 and finite.
LeafPtr sech_value_leaf(double precision, double rate);
LeafPtr sech_slope_leaf(double precision, double rate);

}  // namespace tacit
