#pragma once

#include <limits>

#include "sensitivity/metric/derivative/cell.hpp"
#include "sql/expr.hpp"

namespace tacit {

// How far what the engine computes in doubles may lie from the function the calculus speaks of:
// |computed - exact| <= absolute + relative * |exact|, for every row. Public parts are taken as computed; exact types
// do not round. Doubles round, and a function that rounds jumps: x + 2^52 - 2^52 is round(x). Proof: rounding_error.md.
struct RoundingError {
  double absolute = 0.0;
  double relative = 0.0;

  static constexpr RoundingError unknown() { return {std::numeric_limits<double>::infinity(), 0.0}; }

  // The greatest over a range.
  double over(const Range& range) const;
};

// For the rules: of one operation, of ln, exp, power and conversions (8 steps), and the factor for products of errors
// and for our own rounding.
constexpr double unit_rounding = 0x1p-53;
constexpr double library_rounding = 0x1p-50;
constexpr double rounding_slack = 1.0 + 0x1p-20;

// The least and the greatest |value| of a range.
struct Magnitudes {
  double least = 0.0;
  double most = std::numeric_limits<double>::infinity();
  bool never_negative = false;
};
Magnitudes magnitudes(const Range& range);

double finite_product(double a, double b);  // 0 times infinity is 0

// Infinite where nothing follows. REQUIRES an expression that the calculus derives.
RoundingError rounding_error(const Expr& expr, const PrivateColumns& columns);

// Whether the doubles of this expression are accurate to a small share of its range, so that the grid on which sums of
// doubles are taken (docs/theory/sampling.md, "Sums in the engine") is coarser than their rounding.
bool rounds_little(const Expr& expr, const PrivateColumns& columns);

}  // namespace tacit
