#pragma once

#include "sensitivity/derivative/leaves/leaf.hpp"

namespace tacit {

// The smallest smooth bound of e^{r s} on the side of `end` where it is smaller (s <= end for r > 0, s >= end for r <
// 0; beyond `end` the value there), m = min(|r|, rate):
//
//   e^{r end} e^{-m |end - s|};   `end` may be infinite (towards growth) where |r| <= rate: then it is e^{r s}.
//
// Never above e^{690}, never below 1e-300 or e^{-690} of its supremum, whichever is larger.
// Preconditions (exponential.md): 1. r and rate finite, rate >= 0;  2. end finite, or |r| <= rate;  3. e^{r s} is only
// used where it is at most e^{690}.
LeafPtr exponential_leaf(double r, double end, double rate);

}  // namespace tacit
