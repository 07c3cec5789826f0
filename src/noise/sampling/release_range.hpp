#pragma once

#include "base/int128.hpp"

namespace tacit {

// A released number has at most 38 digits, what an exact decimal holds on every engine. Noise that would carry it
// further stops at the limit: a function of the noisy number and a public constant, so post-processing.
inline constexpr Int128 largest_release = Int128{10'000'000'000'000'000'000ULL} * 10'000'000'000'000'000'000ULL - 1;

Int128 clamp_to_release(Int128 number);

// clamp(exact - magnitude) or clamp(exact + magnitude), computed as if without limit on the way. A magnitude of
// 2^128 - 1 stands for itself and everything larger: the clamped result is the same.
Int128 release_sum(Int128 exact, bool negative, UInt128 magnitude);

}  // namespace tacit
