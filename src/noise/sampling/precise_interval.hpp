#pragma once

// Only sources of noise/ include this file: it brings in mpfr.h.
#include <mpfr.h>

namespace tacit {

// An MPFR number that frees itself.
class PreciseNumber {
 public:
  explicit PreciseNumber(mpfr_prec_t precision) { mpfr_init2(number_, precision); }
  ~PreciseNumber() { mpfr_clear(number_); }
  PreciseNumber(const PreciseNumber&) = delete;
  PreciseNumber& operator=(const PreciseNumber&) = delete;

  mpfr_ptr get() { return number_; }
  mpfr_srcptr get() const { return number_; }
  mpfr_prec_t precision() const { return mpfr_get_prec(number_); }

 private:
  mpfr_t number_{};
};

// Two MPFR numbers of one precision with an exact number in between.
struct PreciseInterval {
  explicit PreciseInterval(mpfr_prec_t precision) : lower(precision), upper(precision) {}
  PreciseNumber lower;
  PreciseNumber upper;
};

}  // namespace tacit
