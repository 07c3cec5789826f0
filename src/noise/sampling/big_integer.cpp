#include "noise/sampling/big_integer.hpp"

#include <array>
#include <cstdint>

namespace tacit {

void BigInteger::assign(UInt128 value) {
  const std::array<std::uint64_t, 2> words{static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64)};
  mpz_import(integer_, words.size(), -1, sizeof(std::uint64_t), 0, 0, words.data());
}

void BigInteger::assign(Int128 value) {
  // Negating the unsigned image is defined for the smallest value too.
  assign(value < 0 ? -static_cast<UInt128>(value) : static_cast<UInt128>(value));
  if (value < 0) mpz_neg(integer_, integer_);
}

std::optional<UInt128> BigInteger::magnitude() const {
  if (mpz_sizeinbase(integer_, 2) > 128) return std::nullopt;
  std::array<std::uint64_t, 2> words{};
  mpz_export(words.data(), nullptr, -1, sizeof(std::uint64_t), 0, 0, integer_);
  return static_cast<UInt128>(words[1]) << 64 | words[0];
}

std::optional<Int128> BigInteger::to_int128() const {
  const auto size = magnitude();
  if (!size || *size >> 127 != 0) return std::nullopt;
  return mpz_sgn(integer_) < 0 ? -static_cast<Int128>(*size) : static_cast<Int128>(*size);
}

}  // namespace tacit
