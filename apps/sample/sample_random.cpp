#include "sample_random.hpp"

#include <numeric>

namespace tacit {

std::uint64_t SampleRandom::next() {
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

int SampleRandom::between(int low, int high) {
  const auto count = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<int>(((next() >> 32) * count) >> 32);
}

int SampleRandom::bell(int low, int high) {
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += between(0, high - low);
  return low + sum / 4;
}

int SampleRandom::skewed(int low, int high) {
  constexpr std::int64_t unit = 1000;
  std::int64_t share = unit;
  for (int i = 0; i < 3; ++i) share = share * between(0, unit) / unit;
  return low + static_cast<int>((high - low) * share / unit);
}

bool SampleRandom::chance(int percent) { return between(1, 100) <= percent; }

std::size_t SampleRandom::weighted(std::span<const int> weights) {
  int left = between(1, std::accumulate(weights.begin(), weights.end(), 0));
  std::size_t index = 0;
  while (left > weights[index]) left -= weights[index++];
  return index;
}

}  // namespace tacit
