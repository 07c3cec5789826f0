#pragma once

namespace tacit {

// The released values of an exact number are units * step: a power of ten for integers and decimals,
// a power of two for doubles. Public: fixed by types and stated bounds.
struct Grid {
  enum class Base { decimal, binary };
  Base base = Base::decimal;
  int exponent = 0;  // decimal: step 10^-exponent; binary: step 2^-exponent
};

double step_of(const Grid& grid);  // nearest double

}  // namespace tacit
