#pragma once

#include <memory>

#include "noise/sampling/quantile_law.hpp"

namespace tacit {

// Density exp(-|y|)/2: |Y| is exponential, m(v) = -ln v. Guarantee: mechanism/laplace.md.
std::shared_ptr<const QuantileLaw> laplace_law();

}  // namespace tacit
