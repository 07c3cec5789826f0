#include "noise/sampling/release_range.hpp"

#include <algorithm>

namespace tacit {

Int128 clamp_to_release(Int128 number) { return std::clamp(number, -largest_release, largest_release); }

Int128 release_sum(Int128 exact, bool negative, UInt128 magnitude) {
  // Distances and sums are taken modulo 2^128, where they are exact.
  const auto start = static_cast<UInt128>(exact);
  if (negative) {
    if (exact <= -largest_release) return -largest_release;
    const UInt128 distance = start - static_cast<UInt128>(-largest_release);
    return magnitude >= distance ? -largest_release : clamp_to_release(static_cast<Int128>(start - magnitude));
  }
  if (exact >= largest_release) return largest_release;
  const UInt128 distance = static_cast<UInt128>(largest_release) - start;
  return magnitude >= distance ? largest_release : clamp_to_release(static_cast<Int128>(start + magnitude));
}

}  // namespace tacit
