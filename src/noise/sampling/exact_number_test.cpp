#include "noise/sampling/exact_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "noise/sampling/big_integer.hpp"

namespace tacit {
namespace {

TEST(ExactNumber, EnclosureIsTightAndOnBothSides) {
  const auto tenth = ExactNumber::quotient(ExactNumber::of(Int128{1}), ExactNumber::of(Int128{10}));
  const DoubleInterval interval = tenth.enclosure();
  EXPECT_EQ(interval.upper, 0.1);  // the double 0.1 is above 1/10
  EXPECT_EQ(interval.lower, std::nextafter(0.1, 0.0));
  const DoubleInterval half = ExactNumber::of(-0.5).enclosure();
  EXPECT_EQ(half.lower, -0.5);
  EXPECT_EQ(half.upper, -0.5);
}

TEST(ExactNumber, ADoubleIsTheRationalItIs) {
  // 0.1 as a double times 2^55 is the integer 3602879701896397.
  const auto scaled = ExactNumber::product(ExactNumber::of(0.1), ExactNumber::of(0x1p55));
  BigInteger whole;
  EXPECT_EQ(scaled.split_nearest(whole).sign(), 0);
  EXPECT_TRUE(whole.to_int128().value() == 3602879701896397);
  EXPECT_THROW(ExactNumber::of(std::numeric_limits<double>::quiet_NaN()), InvariantBroken);
  EXPECT_THROW(ExactNumber::of(std::numeric_limits<double>::infinity()), InvariantBroken);
  EXPECT_THROW(ExactNumber::quotient(scaled, ExactNumber::of(0.0)), InvariantBroken);
}

TEST(ExactNumber, SplitsAtTheNearestIntegerTiesUp) {
  const auto split = [](double value) {
    BigInteger whole;
    const ExactNumber rest = ExactNumber::of(value).split_nearest(whole);
    return std::pair(static_cast<long long>(whole.to_int128().value()), rest.enclosure().lower);
  };
  EXPECT_EQ(split(2.5), std::pair(3LL, -0.5));
  EXPECT_EQ(split(-2.5), std::pair(-2LL, -0.5));
  EXPECT_EQ(split(2.25), std::pair(2LL, 0.25));
  EXPECT_EQ(split(-2.25), std::pair(-2LL, -0.25));
  EXPECT_EQ(split(0.0), std::pair(0LL, 0.0));
}

TEST(BigInteger, RoundTripsTheWholeRange) {
  const Int128 least = std::numeric_limits<Int128>::min();
  BigInteger integer;
  for (const Int128 value : {Int128{0}, Int128{-1}, std::numeric_limits<Int128>::max(), least + 1, Int128{1} << 64}) {
    integer.assign(value);
    EXPECT_TRUE(integer.to_int128().value() == value);
  }
  integer.assign(least);
  EXPECT_FALSE(integer.to_int128().has_value());
  EXPECT_TRUE(integer.magnitude().value() == UInt128{1} << 127);
  mpz_mul_2exp(integer.get(), integer.get(), 1);
  EXPECT_FALSE(integer.magnitude().has_value());
}

}  // namespace
}  // namespace tacit
