#pragma once

#include <memory>

#include "noise/sampling/quantile_law.hpp"

namespace tacit {

// Density sqrt(2) / (pi (1 + y^4)), generalized Cauchy with gamma = 4. The tail P(|Y| > m) has a closed form, its
// inverse has not: it is enclosed by noise/sampling/tail_inverse.hpp. Guarantee: mechanism/gen_cauchy.md.
std::shared_ptr<const QuantileLaw> gen_cauchy_law();

}  // namespace tacit
