#include "mechanism/power_laplace.hpp"

#include <cfloat>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "mechanism/smooth_bound_rule.hpp"

namespace tacit {
namespace {

static_assert(LDBL_MANT_DIG >= 64, "the allowance below is for 64-bit significands");
// power_laplace.md, "Rounding": what is computed here is within a relative 2^-54 of the exact number.
constexpr long double upward_allowance = 1.0L + 0x1p-50L;

// The constants of power_laplace.md, "Facts".
struct Shape {
  long double epsilon;
  long double beta;
  long double kappa;      // 1/k = beta / epsilon
  long double rest;       // 1 - kappa
  long double log_inner;  // ln (1 - kappa)^(k-1)
  long double mass;       // Z

  Shape(Epsilon e, Beta b) : epsilon(e.value()), beta(b.value()) {
    TACIT_CHECK(std::isfinite(e.value()), "epsilon is finite");
    TACIT_CHECK(b.value() > 0.0 && b.value() < e.value(), "beta lies between 0 and epsilon");
    kappa = beta / epsilon;
    rest = (epsilon - beta) / epsilon;
    log_inner = rest / kappa * std::log1p(-kappa);
    mass = 1.0L + 2.0L * kappa * std::exp(log_inner);
  }
};

long double magnitude(Epsilon epsilon, Beta beta, double probability) {
  TACIT_CHECK(probability > 0.0 && probability < 1.0, "a probability lies between 0 and 1");
  const Shape shape(epsilon, beta);
  const long double inner = std::exp(shape.log_inner);
  const long double body = probability * shape.mass;
  if (body <= 1.0L - shape.rest * inner) {
    return -std::expm1(shape.kappa * std::log1p(-body)) / shape.beta;
  }
  const long double tail = 1.0L - static_cast<long double>(probability);  // exact: here probability > 1/4
  const long double tail_at_join = inner * (1.0L + shape.kappa) / shape.mass;
  return std::expm1(std::log1p(shape.kappa) + shape.kappa * std::log(tail_at_join / tail)) / shape.beta;
}

}  // namespace

double power_laplace_magnitude(Epsilon epsilon, Beta beta, double probability) {
  return static_cast<double>(magnitude(epsilon, beta, probability));
}

double power_laplace_half_width(Epsilon epsilon, Beta beta, double coverage) {
  const auto width = static_cast<double>(magnitude(epsilon, beta, coverage) * upward_allowance);
  return std::nextafter(width, std::numeric_limits<double>::infinity());
}

double power_laplace_log_density(Epsilon epsilon, Beta beta, double y) {
  TACIT_CHECK(std::isfinite(y), "the noise is finite");
  const Shape shape(epsilon, beta);
  const long double size = std::fabs(static_cast<long double>(y));
  const long double log_mass = std::log(2.0L * shape.mass / shape.epsilon);
  if (size * shape.epsilon <= 1.0L) {
    return static_cast<double>(shape.rest / shape.kappa * std::log1p(-shape.beta * size) - log_mass);
  }
  const long double beyond = std::log1p((shape.beta * size - shape.kappa) / (1.0L + shape.kappa));
  return static_cast<double>(shape.log_inner - (1.0L + shape.kappa) / shape.kappa * beyond - log_mass);
}

double power_laplace_slope(Epsilon epsilon, Beta beta, double y) {
  TACIT_CHECK(std::isfinite(y) && y >= 0.0, "the slope is asked for at a finite number of at least 0");
  const Shape shape(epsilon, beta);
  const long double at = y;
  if (at * shape.epsilon <= 1.0L) {
    return static_cast<double>((shape.epsilon - shape.beta) / (1.0L - shape.beta * at));
  }
  return static_cast<double>((shape.epsilon + shape.beta) / (1.0L + shape.beta * at));
}

namespace {

class PowerLaplaceRule final : public SmoothBoundRule {
 public:
  const char* name() const override { return "power-laplace"; }
  const char* proof_note() const override { return "mechanism/power_laplace.md"; }
  std::optional<double> b_down(Epsilon epsilon, Beta beta, Delta /*delta*/) const override {
    if (!(beta.value() > 0.0 && beta.value() < epsilon.value())) return std::nullopt;
    return 1.0;
  }
  double magnitude(Epsilon epsilon, Beta beta, double /*b*/, double probability) const override {
    return power_laplace_half_width(epsilon, beta, probability);
  }
};

}  // namespace

const NoiseRule& power_laplace_rule() {
  static const PowerLaplaceRule rule;
  return rule;
}

}  // namespace tacit
