#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace tacit::soundness {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool percent(int chance) { return below(100) < chance; }
  double between(double lo, double hi) { return lo + (hi - lo) * static_cast<double>(random_() >> 11) * 0x1p-53; }

  template <class T>
  const T& pick(const std::vector<T>& options) {
    return options[static_cast<std::size_t>(below(static_cast<int>(options.size())))];
  }
  template <class T>
  T pick(std::initializer_list<T> options) {
    return options.begin()[below(static_cast<int>(options.size()))];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace tacit::soundness
