#pragma once

#include "noise/sampling/double_interval.hpp"

namespace tacit {

class PreciseNumber;     // noise/sampling/precise_interval.hpp
struct PreciseInterval;  // noise/sampling/precise_interval.hpp

// A symmetric continuous noise Y of scale one, given by the quantile function of its magnitude counted from the tail:
//
//   m(v) = the number that |Y| exceeds with probability v,   0 < v < 1;   |Y| = m(V) for V uniform on (0, 1).
//
// A new mechanism implements the two enclosures of m; rounded_sampler.hpp does the rest. Both must satisfy
//   1. m is non-increasing and continuous, m(v) -> 0 for v -> 1.
//   2. The returned interval contains m(v) for the exact v given, 0 <= v <= 1, with lower >= 0; m(0) is the supremum
//      of |Y|, infinity included.
//   3. The MPFR interval shrinks to the point m(v) as the precision of `magnitude` grows.
// No branch may replace the law by an approximation: that would change which answers are reachable.
class QuantileLaw {
 public:
  virtual ~QuantileLaw() = default;
  virtual DoubleInterval magnitude_at(double tail) const = 0;
  virtual void magnitude_at(const PreciseNumber& tail, PreciseInterval& magnitude) const = 0;
};

}  // namespace tacit
