#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tacit {

// The sample data's own generator (SplitMix64) and integer-only distributions: the same numbers from the same seed on
// every machine, which <random>'s distributions and libm do not promise. Never used for noise.
class SampleRandom {
 public:
  explicit SampleRandom(std::uint64_t seed) : state_(seed) {}

  int between(int low, int high);                      // uniform, both ends included
  int bell(int low, int high);                         // mean of four uniform numbers
  int skewed(int low, int high);                       // small numbers often, large ones seldom
  bool chance(int percent);                            // true that often
  std::size_t weighted(std::span<const int> weights);  // an index, as often as its weight says

 private:
  std::uint64_t next();
  std::uint64_t state_;
};

}  // namespace tacit
