#pragma once

#include <optional>
#include <string>
#include <vector>

#include "soundness/metric/noise_density.hpp"

namespace tacit::soundness::metric {

struct Output {
  double value = 0.0;  // f(x)
  double bound = 0.0;  // c(x) > 0
};

// One row a group, in one order for every version of the data; one output an engine cell.
using Outputs = std::vector<std::vector<Output>>;

struct Guarantee {
  std::vector<Noise> noise;      // of each output of a group
  std::vector<double> rounding;  // of each output: how far the engine's value may be from f, absolute
  double epsilon = 1.0;          // of the whole answer
  double eta = 0.0;              // additive loss the answer states as part of its price
};

// The most f may move over distance d when c is beta-smooth: the integral from 0 to d of
// min(c(x) e^(beta t), c(x') e^(beta (d - t))) dt.
double most_movement(double c, double c_moved, double beta, double d);

// What is wrong, if anything, with two versions of the data at distance d:
//   (a) |f(x) - f(x')| <= most_movement;  (b) |ln c(x) - ln c(x')| <= beta d;
//   (c) |ln p_x(y) - ln p_x'(y)| <= epsilon_g d for each output at many y, and summed over all outputs <= epsilon d.
std::optional<std::string> find_violation(const Guarantee& guarantee, const Outputs& one, const Outputs& other,
                                          double d);

// How tight the answer was: the largest joint loss over epsilon d that was seen. 1: the guarantee is exhausted.
double loss_share(const Guarantee& guarantee, const Outputs& one, const Outputs& other, double d);

}  // namespace tacit::soundness::metric
