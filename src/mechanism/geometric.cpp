#include "mechanism/geometric.hpp"

#include <cfloat>
#include <cmath>

#include "base/check.hpp"
#include "mechanism/noise_rule.hpp"

namespace tacit {
namespace {

static_assert(LDBL_MANT_DIG >= 64, "the allowance below is for 64-bit significands");
constexpr long double relative_allowance = 0x1p-58L;

}  // namespace

Int128 geometric_half_width(Epsilon epsilon, Int128 sensitivity, double coverage) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(sensitivity > 0, "the sensitivity is positive");
  TACIT_CHECK(coverage > 0.0 && coverage < 1.0, "a coverage lies between 0 and 1");
  // r^(k+1) <= (1 - coverage)(1 + r) / 2  <=>  k + 1 >= (ln 2 - log1p(r) - log1p(-coverage)) / rate.
  const long double rate = static_cast<long double>(epsilon.value()) / static_cast<long double>(sensitivity);
  const long double ln2 = 0.693147180559945309417232121458176568L;
  const long double from_ratio = ln2 - std::log1p(std::exp(-rate));  // in [0, ln 2]
  const long double from_tail = -std::log1p(-static_cast<long double>(coverage));
  // Each of the terms is off by at most 2^-60 of itself or of ln 2.
  const long double logs = (from_ratio + from_tail) * (1.0L + relative_allowance) + ln2 * relative_allowance;
  const long double least = logs / rate * (1.0L + relative_allowance);
  const Int128 largest = power_of_ten(38) - 1;
  if (least >= 0x1p126L) return largest;
  const long double width = std::ceil(least) - 1.0L;
  return width <= 0.0L ? 0 : static_cast<Int128>(width);
}

namespace {

class GeometricRule final : public NoiseRule, public StepNoise {
 public:
  const char* name() const override { return "geometric"; }
  const char* proof_note() const override { return "mechanism/geometric.md"; }
  const StepNoise* for_steps() const override { return this; }
  const VectorNoise* for_vectors() const override { return nullptr; }
  const BoundNoise* for_bounds() const override { return nullptr; }

  double magnitude(Epsilon epsilon, Int128 sensitivity, double probability) const override {
    return static_cast<double>(geometric_half_width(epsilon, sensitivity, probability));
  }
  Int128 half_width(Epsilon epsilon, Int128 sensitivity, double coverage) const override {
    return geometric_half_width(epsilon, sensitivity, coverage);
  }
};

}  // namespace

const NoiseRule& geometric_rule() {
  static const GeometricRule rule;
  return rule;
}

}  // namespace tacit
