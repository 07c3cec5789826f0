#pragma once

#include <cmath>

namespace tacit {

// The privacy loss per unit of distance of releasing f + (c / b) * Y when c bounds the derivative of f and is
// beta-smooth, at the output f + (c / b) * z: at most
//
//   beta * |1 - z * m(z)| + b * m(z),     m(z) = -(ln p)'(z) for z >= 0, p the symmetric density of Y.
//
// A noise whose loss is at most epsilon for every z gives |ln p_x(y) - ln p_x'(y)| <= epsilon * d(x, x'). Proof:
// smooth_loss.md.
inline double smooth_loss(double beta, double b, double z, double slope) {
  return beta * std::fabs(1.0 - z * slope) + b * slope;
}

}  // namespace tacit
