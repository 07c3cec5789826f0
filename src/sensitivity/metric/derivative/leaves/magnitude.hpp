#pragma once

#include <limits>

#include "sensitivity/metric/derivative/leaves/leaf.hpp"

namespace tacit {

// The smallest smooth bound of a magnitude s = |t| >= 0, t 1-Lipschitz in what moves:
//
//   Phi(s) = s                      for s >= 1/rate
//            (1/rate) e^{rate s-1}  below,            never above cap.
//
// Preconditions (magnitude.md): 1. s >= 0;  2. rate >= 0 and finite, above 0 where cap is infinite;  3. cap >= 0 is a
// public bound of s, or infinity.
LeafPtr magnitude_leaf(double rate, double cap = std::numeric_limits<double>::infinity());

}  // namespace tacit
