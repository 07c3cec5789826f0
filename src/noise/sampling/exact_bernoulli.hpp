#pragma once

#include <cstdint>

#include "noise/sampling/random_words.hpp"

namespace tacit {

// True with probability 1/k.
inline bool one_in(std::uint64_t k, RandomWords& words) { return words.below(k) == 0; }

// True with probability exp(-g), where `trial` is true with probability g, 0 <= g <= 1, independently at every call.
//
// Let K be the first k for which one_in(k) and trial() are not both true. P(K > k) = g/1 * g/2 * ... * g/k = g^k / k!,
// so P(K odd) = sum over even k of (g^k/k! - g^(k+1)/(k+1)!) = exp(-g).
template <class Trial>
bool bernoulli_exp(RandomWords& words, Trial&& trial) {
  for (std::uint64_t k = 1;; ++k) {
    if (!one_in(k, words) || !trial()) return k % 2 == 1;
  }
}

}  // namespace tacit
