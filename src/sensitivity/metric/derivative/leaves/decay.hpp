#pragma once

#include <vector>

#include "sensitivity/metric/derivative/leaves/leaf.hpp"

namespace tacit {

// A stretch of the line on which a function may change with at most that slope.
struct Bump {
  double lo;      // may be -infinity
  double hi;      // lo <= hi, may be infinity
  double height;  // >= 0, at most 1e300
};

// The smallest smooth bound of a function of a position s that is at most height_k on [lo_k, hi_k] and 0 elsewhere:
//
//   max_k height_k e^{-rate dist(s, [lo_k, hi_k])},   never below e^{-690} of the largest height.
//
// Bumps may overlap and come in any order; those that others cover are left out. No bumps, or only flat ones: 0.
// Preconditions (decay.md): 1. rate >= 0 and finite;  2. lo <= hi, height in [0, 1e300], finite ends within +-1e300.
LeafPtr decay_leaf(std::vector<Bump> bumps, double rate);

}  // namespace tacit
