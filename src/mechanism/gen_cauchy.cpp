#include "mechanism/gen_cauchy.hpp"

#include <cfloat>
#include <cmath>
#include <numbers>

#include "base/check.hpp"
#include "mechanism/bisection.hpp"
#include "mechanism/smooth_bound_rule.hpp"

namespace tacit {
namespace {

using std::numbers::pi_v;
using std::numbers::sqrt2_v;

static_assert(LDBL_MANT_DIG >= 64, "the allowances below are for 64-bit significands");
// Covers two powl (assumed within 4 ulp; their arguments' errors are not magnified, the exponents being below 1), and
// a quotient and a product.
constexpr long double downward_allowance = 1.0L - 0x1p-50L;

// epsilon - factor * beta, rounded down.
long double difference_down(long double epsilon, long double factor, long double beta) {
  return epsilon - factor * beta - (epsilon + std::fabs(factor) * beta) * 0x1p-60L;
}

// P(|Y| <= a) and P(|Y| > a) for gamma = 4: gen_cauchy.md, "Facts".
long double body_of(long double a) {
  const long double angle = std::atan2(sqrt2_v<long double> * a, 1.0L - a * a);
  return (angle + std::atanh(sqrt2_v<long double> * a / (1.0L + a * a))) / pi_v<long double>;
}

long double tail_of(long double a) {
  if (a < 2.0L) {
    const long double angle = std::atan2(sqrt2_v<long double> * a, a * a - 1.0L);
    return (angle - std::atanh(sqrt2_v<long double> * a / (1.0L + a * a))) / pi_v<long double>;
  }
  // The two terms nearly cancel; integrate x^-4 - x^-8 + ... instead. Each term is below 1/16 of the one before.
  const long double ratio = 1.0L / (a * a * a * a);
  long double power = 1.0L / (a * a * a);
  long double sum = 0.0L;
  for (int degree = 3; degree < 80; degree += 8) {
    sum += power * (1.0L / static_cast<long double>(degree) - ratio / static_cast<long double>(degree + 4));
    power *= ratio * ratio;
  }
  return sum * 2.0L * sqrt2_v<long double> / pi_v<long double>;
}

}  // namespace

std::optional<double> gen_cauchy_b_down(Epsilon epsilon, Beta beta, double gamma) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(std::isfinite(beta.value()) && beta.value() >= 0.0, "beta is finite and not negative");
  TACIT_CHECK(std::isfinite(gamma) && gamma > 1.0, "gamma is finite and above 1");
  const long double e = epsilon.value();
  const long double g = gamma;
  // The branch that binds: gen_cauchy.md.
  const long double sign = gamma >= 2.0 ? 1.0L : -1.0L;
  const long double stretched = difference_down(e, -sign, beta.value());
  const long double shrunk = difference_down(e, sign * (g - 1.0L), beta.value());
  if (stretched <= 0.0L || shrunk <= 0.0L) return std::nullopt;
  const long double b = std::pow(stretched, 1.0L / g) * std::pow(shrunk / (g - 1.0L), (g - 1.0L) / g);
  const double down = std::nextafter(static_cast<double>(b * downward_allowance), 0.0);
  if (down <= 0.0) return std::nullopt;
  return down;
}

double gen_cauchy_slope(double gamma, double y) {
  TACIT_CHECK(std::isfinite(gamma) && gamma > 1.0, "gamma is finite and above 1");
  TACIT_CHECK(std::isfinite(y) && y >= 0.0, "the slope is asked for at a finite number of at least 0");
  if (y == 0.0) return 0.0;
  // gamma y^(gamma-1) / (1 + y^gamma), without overflow.
  return y <= 1.0 ? gamma * std::pow(y, gamma - 1.0) / (1.0 + std::pow(y, gamma))
                  : gamma / y / (1.0 + std::pow(y, -gamma));
}

double gen_cauchy_magnitude(double probability) {
  TACIT_CHECK(probability > 0.0 && probability < 1.0, "a probability lies between 0 and 1");
  const long double p = probability;
  const long double magnitude = probability <= 0.5 ? least_where([&](long double a) { return body_of(a) >= p; })
                                                   : least_where([&](long double a) { return tail_of(a) <= 1.0L - p; });
  return static_cast<double>(magnitude);
}

double gen_cauchy_log_density(double y) {
  TACIT_CHECK(std::isfinite(y), "the noise is finite");
  const auto square = static_cast<long double>(y) * static_cast<long double>(y);
  return static_cast<double>(std::log(sqrt2_v<long double> / pi_v<long double>) - std::log1p(square * square));
}

namespace {

class GenCauchyRule final : public SmoothBoundRule {
 public:
  const char* name() const override { return "generalized-cauchy"; }
  const char* proof_note() const override { return "mechanism/gen_cauchy.md"; }
  std::optional<double> b_down(Epsilon epsilon, Beta beta, Delta /*delta*/) const override {
    return gen_cauchy_b_down(epsilon, beta);
  }
  double magnitude(Epsilon /*epsilon*/, Beta /*beta*/, double b, double probability) const override {
    return gen_cauchy_magnitude(probability) / b;
  }
};

}  // namespace

const NoiseRule& gen_cauchy_rule() {
  static const GenCauchyRule rule;
  return rule;
}

}  // namespace tacit
