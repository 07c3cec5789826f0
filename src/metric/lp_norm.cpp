#include "metric/lp_norm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit {

double exponent_value(const NormExponent& exponent) {
  return exponent.infinite ? std::numeric_limits<double>::infinity() : to_double(exponent.p);
}

double dual_exponent(double p) {
  if (p == 1.0) return std::numeric_limits<double>::infinity();
  if (std::isinf(p)) return 1.0;
  return p / (p - 1.0);
}

double lp_norm(const std::vector<double>& values, double p) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  if (largest == 0.0 || std::isinf(largest) || std::isinf(p)) return largest;
  double sum = 0.0;
  for (const double value : values) {
    const double share = std::abs(value) / largest;
    sum += p == 1.0 ? share : p == 2.0 ? share * share : std::pow(share, p);
  }
  return largest * (p == 1.0 ? sum : p == 2.0 ? std::sqrt(sum) : std::pow(sum, 1.0 / p));
}

}  // namespace tacit
