#include "mechanism/laplace.hpp"

#include <cfloat>
#include <cmath>

#include "base/check.hpp"

namespace tacit {
namespace {

static_assert(LDBL_MANT_DIG >= 64, "the allowance below is for 64-bit significands");
// Covers log1pl (assumed within 4 ulp), two conversions, a product and a quotient, each within a relative 2^-63.
constexpr long double upward_allowance = 1.0L + 0x1p-58L;

long double magnitude(Epsilon epsilon, Int128 sensitivity, double probability) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(sensitivity > 0, "the sensitivity is positive");
  TACIT_CHECK(probability > 0.0 && probability < 1.0, "a probability lies between 0 and 1");
  const long double tail_log = -std::log1p(-static_cast<long double>(probability));
  return static_cast<long double>(sensitivity) * tail_log / static_cast<long double>(epsilon.value());
}

}  // namespace

double laplace_magnitude(Epsilon epsilon, Int128 sensitivity, double probability) {
  return static_cast<double>(magnitude(epsilon, sensitivity, probability));
}

Int128 laplace_half_width(Epsilon epsilon, Int128 sensitivity, double coverage) {
  const long double at_most = magnitude(epsilon, sensitivity, coverage) * upward_allowance;
  const Int128 largest = power_of_ten(38) - 1;
  if (at_most >= 0x1p126L) return largest;  // 2^126 > 8 * 10^37; conversions below stay in range
  const long double width = std::ceil(at_most - 0.5L);
  return width <= 0.0L ? 0 : static_cast<Int128>(width);
}

double laplace_median_error(Epsilon epsilon, Int128 sensitivity) {
  return laplace_magnitude(epsilon, sensitivity, 0.5);
}

double laplace_p95_error(Epsilon epsilon, Int128 sensitivity) { return laplace_magnitude(epsilon, sensitivity, 0.95); }

}  // namespace tacit
