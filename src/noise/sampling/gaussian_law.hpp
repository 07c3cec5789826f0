#pragma once

#include <memory>

#include "noise/sampling/quantile_law.hpp"

namespace tacit {

// The standard normal, density exp(-y^2/2) / sqrt(2 pi): P(|Y| > m) = erfc(m / sqrt(2)). The inverse has no closed
// form: a number found by Newton's steps is kept as an end only where erfc proves on which side it lies. In double that
// rests on
//
//   Assumption (libm). erfc is off by at most a relative 2^-49 where its result is a normal number;
//   gaussian_law_test.cpp holds it against MPFR on many points.
//
// and where the proof fails, or beyond, noise/sampling/tail_inverse.hpp decides in MPFR. Guarantee:
// mechanism/users/gaussian.md.
std::shared_ptr<const QuantileLaw> gaussian_law();

// erfc(x / sqrt(2)), x > 0, enclosed under the assumption above.
DoubleInterval enclose_normal_tail(double x);

}  // namespace tacit
