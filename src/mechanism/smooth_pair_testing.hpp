#pragma once

// For the tests of mechanisms whose scale is a smooth bound: include gtest and rapidcheck/gtest.h first.
#include <rapidcheck.h>

#include <cmath>
#include <functional>

namespace tacit {

// Two databases at a distance: (0, 1) and (f, c) are their exact answers and bounds. The worst that smoothness allows.
struct SmoothPair {
  double distance = 0.0;
  double f = 0.0;
  double c = 1.0;
};

// f = exp(beta x) / beta, c = exp(beta x), from x = 0 to `distance` (down for a negative beta).
inline SmoothPair monotone_pair(double beta, double distance) {
  return {distance, std::expm1(beta * distance) / beta, std::exp(beta * distance)};
}

// The largest shift of f at a given ln c = theta, |theta| <= beta * distance: c first grows, then falls, as fast as it
// may, and f follows it.
inline SmoothPair peaked_pair(double beta, double distance, double theta) {
  const double peak = (theta + beta * distance) / 2;
  return {distance, (std::expm1(peak) + std::exp(theta) * std::expm1(peak - theta)) / beta, std::exp(theta)};
}

inline SmoothPair any_smooth_pair(double beta) {
  double distance = std::exp(*rc::gen::inRange(-5000, 1000) / 1000.0);
  distance = std::min(distance, 30.0 / beta);
  const double part = *rc::gen::inRange(-1000, 1001) / 1000.0;
  const double sign = *rc::gen::arbitrary<bool>() ? 1.0 : -1.0;
  SmoothPair pair = *rc::gen::arbitrary<bool>() ? monotone_pair(sign * beta, distance)
                                                : peaked_pair(beta, distance, part * beta * distance);
  if (*rc::gen::arbitrary<bool>()) pair.f = -pair.f;
  if (*rc::gen::inRange(0, 4) == 0) pair.f *= part;
  return pair;
}

inline double any_signed_output() {
  const double size = std::exp(*rc::gen::inRange(-12'000, 12'000) / 1000.0);
  return *rc::gen::arbitrary<bool>() ? size : -size;
}

// ln of the ratio of the two densities of f + (c / b) * Y at the output z / b.
inline double exact_loss(const SmoothPair& pair, double b, double z, const std::function<double(double)>& log_density) {
  return log_density(z) - (log_density((z - b * pair.f) / pair.c) - std::log(pair.c));
}

}  // namespace tacit
