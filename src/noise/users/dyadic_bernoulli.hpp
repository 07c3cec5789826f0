#pragma once

#include <cmath>
#include <cstdint>

#include "base/check.hpp"
#include "noise/sampling/random_words.hpp"

namespace tacit {

// True with probability p exactly, 0 <= p <= 1: a double is m / 2^b, so U < p for a uniform U of b bits. Bits above
// those of m must all be 0; they are drawn one word at a time and mostly end at the first.
inline bool dyadic_bernoulli(double p, RandomWords& words) {
  TACIT_CHECK(p >= 0.0 && p <= 1.0, "a probability lies between 0 and 1");
  if (p == 0.0) return false;
  if (p == 1.0) return true;
  constexpr int digits = 53;
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(p, &exponent), digits));
  for (int zeros = -exponent; zeros > 0; zeros -= 64) {
    if (words.bits(zeros < 64 ? zeros : 64) != 0) return false;
  }
  return words.bits(digits) < mantissa;
}

}  // namespace tacit
