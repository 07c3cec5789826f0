#pragma once

#include "sensitivity/derivative/leaves/leaf.hpp"

namespace tacit {

// The smallest smooth bound of max(s, x0)^{-r} for a position s:
//
//   max(s^{-r}, x0^{-r} e^{-rate (s-x0)})  for s >= x0,   x0^{-r}  below;   never above 1e300, never below e^{-690} of
//                                                                           its largest value.
//
// Preconditions (reciprocal.md): 1. r > 0 (above 1000: a constant);  2. x0 > 0;  3. rate >= 0 and finite;  4. the
// bounded function is only used where it is at most 1e300.
LeafPtr reciprocal_leaf(double r, double x0, double rate);

}  // namespace tacit
