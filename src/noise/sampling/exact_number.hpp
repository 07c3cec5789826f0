#pragma once

#include <memory>

#include "base/int128.hpp"
#include "noise/sampling/double_interval.hpp"

namespace tacit {

class BigInteger;        // noise/sampling/big_integer.hpp
struct PreciseInterval;  // noise/sampling/precise_interval.hpp

// A rational number without rounding: the centre and the scale of noise. A double is read as the rational it is.
class ExactNumber {
 public:
  static ExactNumber of(Int128 value);
  static ExactNumber of(double value);                                                        // finite
  static ExactNumber quotient(const ExactNumber& numerator, const ExactNumber& denominator);  // denominator not 0
  static ExactNumber product(const ExactNumber& a, const ExactNumber& b);

  ExactNumber(ExactNumber&&) noexcept;
  ExactNumber& operator=(ExactNumber&&) noexcept;
  ExactNumber(const ExactNumber&) = delete;
  ExactNumber& operator=(const ExactNumber&) = delete;
  ~ExactNumber();

  int sign() const;  // -1, 0, 1
  DoubleInterval enclosure() const;
  void enclose(PreciseInterval& interval) const;

  // The integer n with n - 1/2 <= value < n + 1/2 (a tie goes up), and the rest value - n.
  ExactNumber split_nearest(BigInteger& whole) const;

 private:
  struct Rational;
  ExactNumber();
  std::unique_ptr<Rational> rational_;
};

}  // namespace tacit
