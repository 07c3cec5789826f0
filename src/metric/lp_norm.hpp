#pragma once

#include <vector>

#include "metric/metric.hpp"

namespace tacit {

double exponent_value(const NormExponent& exponent);  // p, or infinity
double dual_exponent(double p);                       // q with 1/p + 1/q = 1; 1 and infinity are each other's

// (sum |x_i|^p)^(1/p), without overflow on the way; p may be infinity.
double lp_norm(const std::vector<double>& values, double p);

}  // namespace tacit
