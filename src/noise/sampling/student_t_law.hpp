#pragma once

#include <memory>

#include "noise/sampling/quantile_law.hpp"

namespace tacit {

// Student's t with 3 degrees of freedom, density 2 / (pi sqrt(3) (1 + y^2/3)^2). The tail P(|Y| > m) has a closed form,
// its inverse has not: it is enclosed by noise/sampling/tail_inverse.hpp. Guarantee: mechanism/student_t.md.
std::shared_ptr<const QuantileLaw> student_t_law();

}  // namespace tacit
