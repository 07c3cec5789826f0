#include "mechanism/laplace_delta.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "base/check.hpp"
#include "mechanism/noise_rule.hpp"

namespace tacit {
namespace {

static_assert(LDBL_MANT_DIG >= 64, "the allowances below are for 64-bit significands");
// Of terms that are each computed within a few units of 2^-63 relative (expm1l, logl, log1pl assumed within 4 ulp).
constexpr long double allowance = 0x1p-55L;

struct Parts {
  long double beta;
  long double cut;      // (epsilon + beta) / (exp(beta) - 1): where the densities cross, in units of the noise
  long double log_gap;  // ln (1 - exp(-beta))
  long double limit;    // of b: beta (epsilon - beta) / (exp(beta) - 1)

  Parts(Epsilon e, Beta b) : beta(b.value()) {
    TACIT_CHECK(std::isfinite(e.value()), "epsilon is finite");
    TACIT_CHECK(b.value() > 0.0 && b.value() < e.value(), "beta lies between 0 and epsilon");
    const long double epsilon = e.value();
    const long double growth = std::expm1(beta);
    cut = (epsilon + beta) / growth;
    log_gap = std::log(-std::expm1(-beta));
    limit = beta * ((epsilon - beta) / growth);
  }
};

}  // namespace

std::optional<double> laplace_delta_b_down(Epsilon epsilon, Delta delta, Beta beta) {
  TACIT_CHECK(delta.value() > 0.0 && delta.value() < 1.0, "delta lies between 0 and 1");
  const Parts parts(epsilon, beta);
  const long double log_delta = std::log(static_cast<long double>(delta.value()));
  // ln cosh(b / beta), rounded down: the inverse of cosh is steep near 1, so the allowance comes before it.
  const long double sizes = parts.cut + std::fabs(log_delta) + std::fabs(parts.log_gap) + 1.0L;
  const long double log_cosh = log_delta + parts.cut - parts.log_gap - sizes * allowance;
  if (!(log_cosh > 0.0L)) return std::nullopt;
  // arccosh(e^w) = w + ln(1 + sqrt(1 - e^-2w)), without e^w, which may be beyond every range.
  const long double inverse = log_cosh + std::log1p(std::sqrt(-std::expm1(-2.0L * log_cosh)));
  const long double b = std::min(parts.beta * inverse, parts.limit) * (1.0L - allowance);
  const double down = std::nextafter(static_cast<double>(b), 0.0);
  if (!(down > 0.0)) return std::nullopt;
  return down;
}

Delta laplace_delta_of(Epsilon epsilon, Beta beta, double b) {
  const Parts parts(epsilon, beta);
  TACIT_CHECK(b > 0.0 && static_cast<long double>(b) <= parts.limit, "b is within the limit of the proof");
  const long double reach = static_cast<long double>(b) / parts.beta;
  const long double log_cosh = reach + std::log1p(std::exp(-2.0L * reach)) - std::log(2.0L);
  return Delta(static_cast<double>(std::exp(parts.log_gap - parts.cut + log_cosh)));
}

namespace {

class LaplaceDeltaRule final : public NoiseRule, public BoundNoise {
 public:
  const char* name() const override { return "laplace-delta"; }
  const char* proof_note() const override { return "mechanism/laplace_delta.md"; }
  const StepNoise* for_steps() const override { return nullptr; }
  const VectorNoise* for_vectors() const override { return nullptr; }
  const BoundNoise* for_bounds() const override { return this; }

  bool is_smooth() const override { return true; }
  bool costs_delta() const override { return true; }
  std::optional<double> b_down(Epsilon epsilon, Beta beta, Delta delta) const override {
    if (!(beta.value() > 0.0 && beta.value() < epsilon.value() && delta.value() > 0.0)) return std::nullopt;
    return laplace_delta_b_down(epsilon, delta, beta);
  }
  double magnitude(Epsilon /*epsilon*/, Beta /*beta*/, double b, double probability) const override {
    return -std::log1p(-probability) / b;
  }
};

}  // namespace

const NoiseRule& laplace_delta_rule() {
  static const LaplaceDeltaRule rule;
  return rule;
}

}  // namespace tacit
