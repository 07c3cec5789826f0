#pragma once

#include <cfloat>
#include <cmath>
#include <limits>

namespace tacit {

// Interval arithmetic in double: every function returns numbers that provably lie on the named side of the exact
// result. Rests on IEEE double arithmetic in round-to-nearest and on
//
//   Assumption (libm). The C library's log, log1p and expm1 are off by at most a relative 2^-50 (4 units in the last
//   place of 53 bits; glibc states less than one). double_interval_test.cpp holds it against MPFR on many points.
struct DoubleInterval {
  double lower = 0.0;
  double upper = 0.0;
};

static_assert(FLT_EVAL_METHOD == 0 && std::numeric_limits<double>::is_iec559, "the proofs need IEEE double arithmetic");
inline constexpr double libm_relative_error = 0x1p-50;

inline double next_down(double x) { return std::nextafter(x, -std::numeric_limits<double>::infinity()); }
inline double next_up(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }

inline double add_down(double a, double b) { return next_down(a + b); }
inline double add_up(double a, double b) { return next_up(a + b); }

// Of numbers >= 0.
inline double multiply_down(double a, double b) {
  const double product = a * b;
  return product > 0.0 ? next_down(product) : 0.0;
}
inline double multiply_up(double a, double b) { return next_up(a * b); }

// Of a number >= 0 by one > 0.
inline double divide_down(double a, double b) {
  const double quotient = a / b;
  return quotient > 0.0 ? next_down(quotient) : 0.0;
}
inline double divide_up(double a, double b) { return next_up(a / b); }

// Twice the assumed error: that covers measuring it against the computed instead of the exact value, and the rounding
// of these two sums. The step outward covers results below the normal range.
inline DoubleInterval around_libm_result(double y) {
  const double allowance = 2 * libm_relative_error * std::fabs(y);
  return {next_down(y - allowance), next_up(y + allowance)};
}

inline DoubleInterval enclose_log(double x) { return around_libm_result(std::log(x)); }
inline DoubleInterval enclose_log1p(double x) { return around_libm_result(std::log1p(x)); }
inline DoubleInterval enclose_expm1(double x) { return around_libm_result(std::expm1(x)); }

}  // namespace tacit
