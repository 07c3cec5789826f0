#pragma once

#include <memory>

#include "noise/sampling/quantile_law.hpp"

namespace tacit {

// S(x) = P(X > x) of a random number X > 0 whose density falls: S is convex, continuous and decreasing, S(0) = 1.
class TailFunction {
 public:
  virtual ~TailFunction() = default;
  // An interval that contains S(x), for x > 0; it shrinks to the point as the precision of `tail` grows.
  virtual void tail_at(const PreciseNumber& x, PreciseInterval& tail) const = 0;

  // Only the time that the search takes depends on these two. About -S'(x), for x >= 0, and at least a quarter of its
  // value at 0 divided by x^4 where x >= 1:
  virtual void density_at(const PreciseNumber& x, PreciseNumber& density) const = 0;
  // About the x with S(x) = tail, in the arithmetic of doubles; anything for a tail near the ends of their range:
  virtual double guess(double tail) const = 0;
};

// Encloses the x with S(x) = tail, 0 <= tail <= 1, at the precision of `x`: a Newton search proposes a number, and an
// end just below and one just above it are kept only where tail_at proves on which side of x they lie. The answer is
// right whatever the search did; it is close when the search was good.
void invert_tail(const TailFunction& function, const PreciseNumber& tail, PreciseInterval& x);

// The law of a symmetric noise whose magnitude has this tail. Its enclosure in double comes from MPFR too: it is slow
// (some ten thousand draws a second) and needs nothing of the C library.
std::shared_ptr<const QuantileLaw> law_with_tail(std::unique_ptr<const TailFunction> tail);

}  // namespace tacit
