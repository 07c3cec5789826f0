#pragma once

// Only sources of noise/ include this file: it brings in gmp.h.
#include <gmp.h>

#include <optional>

#include "base/int128.hpp"

namespace tacit {

// A GMP integer that frees itself.
class BigInteger {
 public:
  BigInteger() { mpz_init(integer_); }
  ~BigInteger() { mpz_clear(integer_); }
  BigInteger(const BigInteger&) = delete;
  BigInteger& operator=(const BigInteger&) = delete;

  mpz_ptr get() { return integer_; }
  mpz_srcptr get() const { return integer_; }

  void assign(UInt128 value);
  void assign(Int128 value);
  // |value| when that is below 2^128.
  std::optional<UInt128> magnitude() const;
  // The value when |value| < 2^127.
  std::optional<Int128> to_int128() const;

 private:
  mpz_t integer_{};
};

}  // namespace tacit
