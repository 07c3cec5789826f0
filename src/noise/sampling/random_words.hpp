#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/int128.hpp"
#include "noise/sampling/entropy.hpp"

namespace tacit {

// Independent fair bits, bought from an Entropy in bulk. What was handed out is wiped at once, the rest when the
// object dies. Lives for one answer and is never copied, so no two answers (or forked processes) share bits.
class RandomWords {
 public:
  explicit RandomWords(Entropy& entropy) : entropy_(entropy) {}
  ~RandomWords();
  RandomWords(const RandomWords&) = delete;
  RandomWords& operator=(const RandomWords&) = delete;

  std::uint64_t word() {
    if (next_ == buffer_.size()) refill();
    const std::uint64_t result = buffer_[next_];
    buffer_[next_++] = 0;
    return result;
  }

  // The low `count` bits are random, the others 0. 1 <= count <= 64.
  std::uint64_t bits(int count) {
    if (count > pooled_) return bits_across_words(count);
    const std::uint64_t result = pool_ & mask(count);
    pool_ = count == 64 ? 0 : pool_ >> count;
    pooled_ -= count;
    return result;
  }

  // Uniform on 0 .. bound-1, exactly, by rejection. bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  UInt128 below(UInt128 bound);

 private:
  static constexpr std::uint64_t mask(int count) { return ~std::uint64_t{0} >> (64 - count); }
  void refill();
  std::uint64_t bits_across_words(int count);

  Entropy& entropy_;
  std::array<std::uint64_t, 1024> buffer_{};
  std::size_t next_ = 1024;
  std::uint64_t pool_ = 0;
  int pooled_ = 0;
};

}  // namespace tacit
