#pragma once

#include "sensitivity/metric/derivative/cell.hpp"
#include "sql/expr.hpp"

namespace tacit {

// How far what the engine computes in doubles may lie from the function the calculus speaks of:
// |computed - exact| <= absolute + relative * |exact|, for every row. Public parts are taken as computed; exact types
// do not round. Doubles round, and a function that rounds jumps: x + 2^52 - 2^52 is round(x). Proof: rounding_error.md.
struct RoundingError {
  double absolute = 0.0;
  double relative = 0.0;

  // The greatest over a range.
  double over(const Range& range) const;
};

// Infinite where nothing follows. REQUIRES an expression that the calculus derives.
RoundingError rounding_error(const Expr& expr, const PrivateColumns& columns);

// Whether the doubles of this expression are accurate to a small share of its range, so that the grid on which sums of
// doubles are taken (docs/theory/sampling.md, "Sums in the engine") is coarser than their rounding.
bool rounds_little(const Expr& expr, const PrivateColumns& columns);

}  // namespace tacit
