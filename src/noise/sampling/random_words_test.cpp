#include "noise/sampling/random_words.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/check.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {
namespace {

TEST(SystemEntropy, FillsEveryByteAndNeverRepeats) {
  const auto entropy = system_entropy();
  std::vector<std::uint8_t> bytes(100'000, 0);
  entropy->fill(bytes);
  // A byte value missing from 100000 fair bytes: probability below 256 (255/256)^100000 < 1e-167.
  EXPECT_EQ(std::set<std::uint8_t>(bytes.begin(), bytes.end()).size(), 256U);
  std::array<std::uint8_t, 32> first{};
  std::array<std::uint8_t, 32> second{};
  entropy->fill(first);
  entropy->fill(second);
  EXPECT_NE(first, second);
  entropy->fill({});
}

// Sees the buffer before it fills it.
class WatchingEntropy final : public Entropy {
 public:
  void fill(std::span<std::uint8_t> bytes) override {
    ++fills;
    all_wiped = all_wiped && std::ranges::all_of(bytes, [](std::uint8_t b) { return b == 0; });
    std::ranges::fill(bytes, std::uint8_t{0xff});
  }
  int fills = 0;
  bool all_wiped = true;
};

TEST(RandomWords, WipesWhatItHandedOut) {
  WatchingEntropy entropy;
  RandomWords words(entropy);
  for (int i = 0; i < 5'000; ++i) EXPECT_EQ(words.word(), ~std::uint64_t{0});
  EXPECT_GE(entropy.fills, 3);
  EXPECT_TRUE(entropy.all_wiped);
}

TEST(RandomWords, BuysInBulk) {
  WatchingEntropy entropy;
  RandomWords words(entropy);
  for (int i = 0; i < 500; ++i) words.word();
  EXPECT_EQ(entropy.fills, 1);
}

TEST(RandomWords, BitsAreTheWordsFromTheLowEnd) {
  ScriptedEntropy entropy({0x0123456789abcdefULL, 0xfedcba9876543210ULL});
  RandomWords words(entropy);
  EXPECT_EQ(words.bits(4), 0xfU);
  EXPECT_EQ(words.bits(8), 0xdeU);
  EXPECT_EQ(words.bits(52), 0x0123456789abcULL);
  EXPECT_EQ(words.bits(64), 0xfedcba9876543210ULL);
}

TEST(RandomWords, BitsCrossWordsWithoutLosingAny) {
  ScriptedEntropy entropy({0x0123456789abcdefULL, 0xfedcba9876543210ULL});
  RandomWords words(entropy);
  EXPECT_EQ(words.bits(60), 0x123456789abcdefULL);
  EXPECT_EQ(words.bits(8), 0x00U);  // the 0 that was left, then the low 4 bits of the second word
  EXPECT_EQ(words.bits(60), 0xfedcba987654321ULL);
  EXPECT_THROW(words.bits(65), InvariantBroken);
}

TEST(RandomWords, BelowRejectsInsteadOfFolding) {
  // Bound 5 needs 3 bits; 7, 6 and 5 are rejected, then 4, 0 accepted. Bits from the low end: 7 6 5 4 0.
  ScriptedEntropy entropy({0b000'100'101'110'111});
  RandomWords words(entropy);
  EXPECT_EQ(words.below(std::uint64_t{5}), 4U);
  EXPECT_EQ(words.below(std::uint64_t{5}), 0U);
  EXPECT_EQ(words.below(std::uint64_t{1}), 0U);
  EXPECT_THROW(words.below(std::uint64_t{0}), InvariantBroken);
}

TEST(RandomWords, BelowOfWideBounds) {
  const UInt128 two_to_64 = UInt128{1} << 64;
  {
    ScriptedEntropy entropy({~std::uint64_t{0}});
    RandomWords words(entropy);
    EXPECT_TRUE(words.below(two_to_64) == two_to_64 - 1);
  }
  {
    // 2^64 + 3: the high word keeps one bit. (1, 3) is out, (1, 2) is the largest number.
    ScriptedEntropy entropy({1, 3, 3, 2});
    RandomWords words(entropy);
    EXPECT_TRUE(words.below(two_to_64 + 3) == two_to_64 + 2);
  }
  {
    ScriptedEntropy entropy({~std::uint64_t{0}, ~std::uint64_t{0}, 5, 6});
    RandomWords words(entropy);
    EXPECT_TRUE(words.below(~UInt128{0}) == (UInt128{5} << 64 | 6));
  }
}

}  // namespace
}  // namespace tacit
