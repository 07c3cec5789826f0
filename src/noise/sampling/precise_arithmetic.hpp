#pragma once

// Only sources of noise/ include this file: it brings in mpfr.h.
#include "noise/sampling/double_interval.hpp"
#include "noise/sampling/precise_interval.hpp"

namespace tacit {

// Interval arithmetic in MPFR, rounded outward: the result contains the exact result for all exact operands inside the
// given intervals. The result may be the left operand, never the right one. Works at the precision of the result.

inline void set_to(PreciseInterval& result, double value) {
  mpfr_set_d(result.lower.get(), value, MPFR_RNDD);
  mpfr_set_d(result.upper.get(), value, MPFR_RNDU);
}

inline void set_to(PreciseInterval& result, const PreciseNumber& value) {
  mpfr_set(result.lower.get(), value.get(), MPFR_RNDD);
  mpfr_set(result.upper.get(), value.get(), MPFR_RNDU);
}

inline void set_to(PreciseInterval& result, const PreciseInterval& x) {
  mpfr_set(result.lower.get(), x.lower.get(), MPFR_RNDD);
  mpfr_set(result.upper.get(), x.upper.get(), MPFR_RNDU);
}

inline void set_to_pi(PreciseInterval& result) {
  mpfr_const_pi(result.lower.get(), MPFR_RNDD);
  mpfr_const_pi(result.upper.get(), MPFR_RNDU);
}

inline void add(PreciseInterval& result, const PreciseInterval& a, const PreciseInterval& b) {
  mpfr_add(result.lower.get(), a.lower.get(), b.lower.get(), MPFR_RNDD);
  mpfr_add(result.upper.get(), a.upper.get(), b.upper.get(), MPFR_RNDU);
}

inline void subtract(PreciseInterval& result, const PreciseInterval& a, const PreciseInterval& b) {
  mpfr_sub(result.lower.get(), a.lower.get(), b.upper.get(), MPFR_RNDD);
  mpfr_sub(result.upper.get(), a.upper.get(), b.lower.get(), MPFR_RNDU);
}

// b >= 0, a of any sign.
inline void multiply(PreciseInterval& result, const PreciseInterval& a, const PreciseInterval& b) {
  const bool lower_negative = mpfr_sgn(a.lower.get()) < 0;
  const bool upper_negative = mpfr_sgn(a.upper.get()) < 0;
  mpfr_mul(result.lower.get(), a.lower.get(), (lower_negative ? b.upper : b.lower).get(), MPFR_RNDD);
  mpfr_mul(result.upper.get(), a.upper.get(), (upper_negative ? b.lower : b.upper).get(), MPFR_RNDU);
}

// b > 0, a of any sign.
inline void divide(PreciseInterval& result, const PreciseInterval& a, const PreciseInterval& b) {
  const bool lower_negative = mpfr_sgn(a.lower.get()) < 0;
  const bool upper_negative = mpfr_sgn(a.upper.get()) < 0;
  mpfr_div(result.lower.get(), a.lower.get(), (lower_negative ? b.lower : b.upper).get(), MPFR_RNDD);
  mpfr_div(result.upper.get(), a.upper.get(), (upper_negative ? b.upper : b.lower).get(), MPFR_RNDU);
}

inline void negate(PreciseInterval& x) {
  mpfr_swap(x.lower.get(), x.upper.get());
  mpfr_neg(x.lower.get(), x.lower.get(), MPFR_RNDN);
  mpfr_neg(x.upper.get(), x.upper.get(), MPFR_RNDN);
}

// One of MPFR's increasing functions, which are correctly rounded: mpfr_log, mpfr_expm1, mpfr_atan, ...
using IncreasingFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

inline void apply(IncreasingFunction function, PreciseInterval& x) {
  function(x.lower.get(), x.lower.get(), MPFR_RNDD);
  function(x.upper.get(), x.upper.get(), MPFR_RNDU);
}

// For an exact number known to be at least (at most) the bound: drops the part of the interval beyond it.
inline void keep_at_least(PreciseInterval& x, double bound) {
  if (mpfr_cmp_d(x.lower.get(), bound) < 0) mpfr_set_d(x.lower.get(), bound, MPFR_RNDD);
  if (mpfr_cmp_d(x.upper.get(), bound) < 0) mpfr_set_d(x.upper.get(), bound, MPFR_RNDU);
}
inline void keep_at_most(PreciseInterval& x, double bound) {
  if (mpfr_cmp_d(x.lower.get(), bound) > 0) mpfr_set_d(x.lower.get(), bound, MPFR_RNDD);
  if (mpfr_cmp_d(x.upper.get(), bound) > 0) mpfr_set_d(x.upper.get(), bound, MPFR_RNDU);
}

inline DoubleInterval to_doubles(const PreciseInterval& x) {
  return {mpfr_get_d(x.lower.get(), MPFR_RNDD), mpfr_get_d(x.upper.get(), MPFR_RNDU)};
}

}  // namespace tacit
