#include "noise/sampling/release_range.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "noise/sampling/big_integer.hpp"

namespace tacit {
namespace {

constexpr Int128 int128_max = std::numeric_limits<Int128>::max();
constexpr Int128 int128_min = std::numeric_limits<Int128>::min();
constexpr UInt128 uint128_max = std::numeric_limits<UInt128>::max();

TEST(ReleaseRange, LimitIs38Digits) { EXPECT_EQ(to_string(largest_release), std::string(38, '9')); }

TEST(ReleaseRange, Extremes) {
  EXPECT_TRUE(release_sum(5, false, 7) == 12);
  EXPECT_TRUE(release_sum(5, true, 7) == -2);
  EXPECT_TRUE(release_sum(int128_max, false, 0) == largest_release);
  EXPECT_TRUE(release_sum(int128_min, false, 0) == -largest_release);
  EXPECT_TRUE(release_sum(int128_min, false, uint128_max) == largest_release);
  EXPECT_TRUE(release_sum(int128_max, true, uint128_max) == -largest_release);
  // Noise beyond Int128 that ends in the middle.
  EXPECT_TRUE(release_sum(int128_min, false, UInt128{1} << 127) == 0);
  EXPECT_TRUE(release_sum(largest_release - 1, false, 1) == largest_release);
}

RC_GTEST_PROP(ReleaseRange, AgreesWithBigIntegers, ()) {
  const auto any = [] {
    const auto high = *rc::gen::arbitrary<std::uint64_t>();
    const auto low = *rc::gen::arbitrary<std::uint64_t>();
    const int shift = *rc::gen::inRange(0, 128);
    return (static_cast<UInt128>(high) << 64 | low) >> shift;
  };
  const auto exact = static_cast<Int128>(any());
  const UInt128 magnitude = any();
  const bool negative = *rc::gen::arbitrary<bool>();
  BigInteger sum;
  BigInteger change;
  BigInteger limit;
  sum.assign(exact);
  change.assign(magnitude);
  limit.assign(largest_release);
  if (negative) {
    mpz_sub(sum.get(), sum.get(), change.get());
  } else {
    mpz_add(sum.get(), sum.get(), change.get());
  }
  Int128 expected = 0;
  if (mpz_cmpabs(sum.get(), limit.get()) >= 0) {
    expected = mpz_sgn(sum.get()) < 0 ? -largest_release : largest_release;
  } else {
    expected = sum.to_int128().value();
  }
  RC_ASSERT(release_sum(exact, negative, magnitude) == expected);
}

}  // namespace
}  // namespace tacit
