#include "noise/sampling/random_words.hpp"

#include <openssl/crypto.h>

#include <bit>

#include "base/check.hpp"

namespace tacit {

RandomWords::~RandomWords() {
  OPENSSL_cleanse(buffer_.data(), sizeof(buffer_));
  OPENSSL_cleanse(&pool_, sizeof(pool_));
}

void RandomWords::refill() {
  entropy_.fill({reinterpret_cast<std::uint8_t*>(buffer_.data()), sizeof(buffer_)});
  next_ = 0;
}

std::uint64_t RandomWords::bits_across_words(int count) {
  TACIT_CHECK(count >= 1 && count <= 64, "bits: between 1 and 64 at once");
  // The pool is the low part; the missing bits are the low bits of a new word, whose rest becomes the pool.
  const int missing = count - pooled_;
  const std::uint64_t fresh = word();
  const std::uint64_t result = pool_ | (fresh & mask(missing)) << pooled_;
  pool_ = missing == 64 ? 0 : fresh >> missing;
  pooled_ = 64 - missing;
  return result;
}

std::uint64_t RandomWords::below(std::uint64_t bound) {
  TACIT_CHECK(bound >= 1, "below: the bound is positive");
  if (bound == 1) return 0;
  const int width = static_cast<int>(std::bit_width(bound - 1));
  for (;;) {
    const std::uint64_t candidate = width > 32 ? word() & mask(width) : bits(width);
    if (candidate < bound) return candidate;
  }
}

UInt128 RandomWords::below(UInt128 bound) {
  const auto high_bound = static_cast<std::uint64_t>((bound - 1) >> 64);
  if (high_bound == 0) {
    // bound = 2^64 is the one bound of two words whose numbers have one.
    if (bound >> 64 != 0) return word();
    return below(static_cast<std::uint64_t>(bound));
  }
  const int width = static_cast<int>(std::bit_width(high_bound));
  for (;;) {
    const UInt128 high = word() & mask(width);
    const UInt128 candidate = high << 64 | word();
    if (candidate < bound) return candidate;
  }
}

}  // namespace tacit
