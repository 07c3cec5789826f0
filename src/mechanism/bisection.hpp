#pragma once

namespace tacit {

// The least number >= 0 at which a statement begins to hold, up to the last bit of a long double. The statement must
// hold from there on, and somewhere below 2^1000.
template <class Statement>
long double least_where(const Statement& holds) {
  long double fails = 0.0L;
  long double upper = 1.0L;
  while (!holds(upper) && upper < 0x1p1000L) {
    fails = upper;
    upper *= 2.0L;
  }
  for (;;) {
    const long double middle = fails + (upper - fails) / 2.0L;
    if (middle <= fails || middle >= upper) return upper;
    (holds(middle) ? upper : fails) = middle;
  }
}

}  // namespace tacit
