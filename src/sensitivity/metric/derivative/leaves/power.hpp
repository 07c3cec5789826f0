#pragma once

#include <limits>

#include "sensitivity/metric/derivative/leaves/leaf.hpp"

namespace tacit {

// The smallest smooth bound of s^r for a magnitude s >= 0:
//
//   pw(s) = s^r                           for s >= r/rate
//           (r/rate)^r e^{rate s - r}     below,            never above cap and never above 1e300;  r = 0: 1.
//
// Preconditions (power.md): 1. s >= 0;  2. r >= 0 and finite (above 1000: the cap);  3. rate >= 0 and finite, above 0
// where r > 0 and cap is infinite;  4. cap >= 0 is a public bound of s^r, or infinity;  5. s^r is only used where it is
// at most 1e300.
LeafPtr power_leaf(double r, double rate, double cap = std::numeric_limits<double>::infinity());

}  // namespace tacit
