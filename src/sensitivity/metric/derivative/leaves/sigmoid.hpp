#pragma once

#include "sensitivity/metric/derivative/leaves/leaf.hpp"

namespace tacit {

// The smallest smooth bounds of the sigmoid f(s) = 1/(1 + e^{-a s}) of a position s and of its slope f'(s) = a f (1-f).
// Both are logarithmically concave: the bound is the function itself where its logarithm is no steeper than `rate`, and
// goes on from there as an exponential of that rate. Never below e^{-690} of the largest value.
//
// Preconditions (sigmoid.md): 1. 1e-100 <= precision a <= 1e100;  2. rate >= 0 and finite.
LeafPtr sigmoid_value_leaf(double precision, double rate);
LeafPtr sigmoid_slope_leaf(double precision, double rate);

}  // namespace tacit
