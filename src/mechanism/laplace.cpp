#include "mechanism/laplace.hpp"

#include <cfloat>
#include <cmath>

#include "base/check.hpp"
#include "mechanism/noise_rule.hpp"

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

namespace {

class LaplaceRule final : public NoiseRule, public StepNoise, public BoundNoise {
 public:
  const char* name() const override { return "laplace"; }
  const char* proof_note() const override { return "mechanism/laplace.md"; }
  const StepNoise* for_steps() const override { return this; }
  const VectorNoise* for_vectors() const override { return nullptr; }
  const BoundNoise* for_bounds() const override { return this; }

  double magnitude(Epsilon epsilon, Int128 sensitivity, double probability) const override {
    return laplace_magnitude(epsilon, sensitivity, probability);
  }
  Int128 half_width(Epsilon epsilon, Int128 sensitivity, double coverage) const override {
    return laplace_half_width(epsilon, sensitivity, coverage);
  }

  bool is_smooth() const override { return false; }
  bool costs_delta() const override { return false; }
  std::optional<double> b_down(Epsilon epsilon, Beta beta, Delta /*delta*/) const override {
    if (beta.value() > 0.0) return std::nullopt;
    return epsilon.value();
  }
  double magnitude(Epsilon /*epsilon*/, Beta /*beta*/, double b, double probability) const override {
    return -std::log1p(-probability) / b;
  }
};

}  // namespace

const NoiseRule& laplace_rule() {
  static const LaplaceRule rule;
  return rule;
}

}  // namespace tacit
