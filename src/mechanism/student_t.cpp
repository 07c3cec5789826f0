#include "mechanism/student_t.hpp"

#include <cfloat>
#include <cmath>
#include <numbers>

#include "base/check.hpp"
#include "mechanism/bisection.hpp"
#include "mechanism/smooth_bound_rule.hpp"

namespace tacit {
namespace {

using std::numbers::pi_v;
using std::numbers::sqrt3_v;

static_assert(LDBL_MANT_DIG >= 64, "the allowances below are for 64-bit significands");
// Covers a square root, three products, a quotient and a sum, each within a relative 2^-63.
constexpr long double downward_allowance = 1.0L - 0x1p-50L;

// P(|Y| <= sqrt(3) x) and P(|Y| > sqrt(3) x) for d = 3: student_t.md, "Facts".
long double body_of(long double x) { return (std::atan(x) + x / (1.0L + x * x)) * 2.0L / pi_v<long double>; }

long double tail_of(long double x) {
  const long double u = 1.0L / x;
  if (u > 0.5L) return (std::atan(u) - x / (1.0L + x * x)) * 2.0L / pi_v<long double>;
  // The two terms nearly cancel; sum the difference of their series, n = 1, 2, ... of (-1)^(n+1) u^(2n+1) 2n/(2n+1).
  long double power = u * u * u;
  long double sum = 0.0L;
  for (int n = 1; n < 40; ++n) {
    sum += power * static_cast<long double>(2 * n) / static_cast<long double>(2 * n + 1);
    power *= -u * u;
  }
  return sum * 2.0L / pi_v<long double>;
}

}  // namespace

std::optional<double> student_t_b_down(Epsilon epsilon, Beta beta, double degrees) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(std::isfinite(beta.value()) && beta.value() >= 0.0, "beta is finite and not negative");
  TACIT_CHECK(std::isfinite(degrees) && degrees >= 1.0, "there is at least one degree of freedom");
  const long double e = epsilon.value();
  const long double d = degrees;
  const long double stretched = d * static_cast<long double>(beta.value());
  const long double left = e - stretched - (e + stretched) * 0x1p-60L;  // epsilon - d beta, rounded down
  if (left <= 0.0L) return std::nullopt;
  const long double sum = e + static_cast<long double>(beta.value());
  const long double b = 2.0L / (d + 1.0L) * std::sqrt(d * left * sum);
  const double down = std::nextafter(static_cast<double>(b * downward_allowance), 0.0);
  if (down <= 0.0) return std::nullopt;
  return down;
}

double student_t_slope(double degrees, double y) {
  TACIT_CHECK(std::isfinite(degrees) && degrees >= 1.0, "there is at least one degree of freedom");
  TACIT_CHECK(std::isfinite(y) && y >= 0.0, "the slope is asked for at a finite number of at least 0");
  if (y == 0.0) return 0.0;
  return (degrees + 1.0) / (degrees / y + y);
}

double student_t_magnitude(double probability) {
  TACIT_CHECK(probability > 0.0 && probability < 1.0, "a probability lies between 0 and 1");
  const long double p = probability;
  const long double x = probability <= 0.5 ? least_where([&](long double a) { return body_of(a) >= p; })
                                           : least_where([&](long double a) { return tail_of(a) <= 1.0L - p; });
  return static_cast<double>(sqrt3_v<long double> * x);
}

double student_t_log_density(double y) {
  TACIT_CHECK(std::isfinite(y), "the noise is finite");
  const auto square = static_cast<long double>(y) * static_cast<long double>(y);
  const long double at_zero = std::log(2.0L / (pi_v<long double> * sqrt3_v<long double>));
  return static_cast<double>(at_zero - 2.0L * std::log1p(square / 3.0L));
}

namespace {

class StudentTRule final : public SmoothBoundRule {
 public:
  const char* name() const override { return "student-t"; }
  const char* proof_note() const override { return "mechanism/student_t.md"; }
  std::optional<double> b_down(Epsilon epsilon, Beta beta, Delta /*delta*/) const override {
    return student_t_b_down(epsilon, beta);
  }
  double magnitude(Epsilon /*epsilon*/, Beta /*beta*/, double b, double probability) const override {
    return student_t_magnitude(probability) / b;
  }
};

}  // namespace

const NoiseRule& student_t_rule() {
  static const StudentTRule rule;
  return rule;
}

}  // namespace tacit
