#pragma once

#include "sensitivity/metric/derivative/row_function.hpp"

namespace tacit {

bool is_l1(const NormExponent& exponent);

// The exponent of the dual norm: 1 for infinity, infinity for 1, p / (p - 1) between.
double dual_exponent(const NormExponent& exponent);

// The lq norm of bounds: their maximum for infinity, their sum for 1.
BoundPtr combined(double q, std::vector<BoundPtr> parts);

// The dual of a row's metric at a gradient: how fast the function can move per unit of distance when cells of this row
// move (docs/theory/metrics.md, "The dual norm"). `columns` are the role's; what the gradient does not list is 0.
// Proof: norm_dual.md.
BoundPtr dual_of_gradient(const MetricNode& metric, const Gradient& gradient, const std::vector<ColumnPtr>& columns);

}  // namespace tacit
