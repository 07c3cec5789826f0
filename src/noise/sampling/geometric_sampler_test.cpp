#include "noise/sampling/geometric_sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "noise/sampling/exact_bernoulli.hpp"
#include "noise/sampling/release_range.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {
namespace {

TEST(ExactBernoulli, FollowsTheFirstFailure) {
  ScriptedEntropy entropy({0});  // every one_in(k) is true
  RandomWords words(entropy);
  // The trial fails at its second call: K = 2, even, so false; at once: K = 1, true.
  int calls = 0;
  EXPECT_FALSE(bernoulli_exp(words, [&] { return ++calls < 2; }));
  EXPECT_TRUE(bernoulli_exp(words, [] { return false; }));
}

TEST(ExactBernoulli, HasProbabilityExpMinusG) {
  SeededEntropy entropy(5);
  RandomWords words(entropy);
  constexpr int draws = 400'000;
  for (const auto& [numerator, denominator] : {std::pair(1, 1), std::pair(1, 3), std::pair(0, 1), std::pair(9, 10)}) {
    const auto g_trial = [&, n = static_cast<std::uint64_t>(numerator), d = static_cast<std::uint64_t>(denominator)] {
      return words.below(d) < n;
    };
    int hits = 0;
    for (int i = 0; i < draws; ++i) hits += bernoulli_exp(words, g_trial) ? 1 : 0;
    const double p = std::exp(-static_cast<double>(numerator) / denominator);
    EXPECT_NEAR(hits, draws * p, 5.5 * std::sqrt(draws * p * (1 - p))) << numerator << "/" << denominator;
  }
}

TEST(GeometricSampler, RefusesBadParameters) {
  EXPECT_THROW(GeometricSampler(Epsilon(0.0), 1), InvariantBroken);
  EXPECT_THROW(GeometricSampler(Epsilon(-1.0), 1), InvariantBroken);
  EXPECT_THROW(GeometricSampler(Epsilon(std::numeric_limits<double>::quiet_NaN()), 1), InvariantBroken);
  EXPECT_THROW(GeometricSampler(Epsilon(std::numeric_limits<double>::infinity()), 1), InvariantBroken);
  EXPECT_THROW(GeometricSampler(Epsilon(1.0), 0), InvariantBroken);
  EXPECT_THROW(GeometricSampler(Epsilon(1.0), -1), InvariantBroken);
}

TEST(GeometricSampler, AlmostNoNoiseAtAHugeRate) {
  // Ratio exp(-1000): anything but 0 would be a wonder.
  SeededEntropy entropy(3);
  RandomWords words(entropy);
  const GeometricSampler sampler(Epsilon(1000.0), 1);
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(sampler.draw(42, words) == 42);
  const GeometricSampler extreme(Epsilon(std::numeric_limits<double>::max()), 1);
  EXPECT_TRUE(extreme.draw(42, words) == 42);
}

TEST(GeometricSampler, BigIntegersAreRejectedNotFolded) {
  // p = 2^70, q = 2^70 + 1: numbers below q are drawn as (high word, low word), 71 bits kept.
  constexpr std::uint64_t sentinel = 0x5e471e15e471e15eULL;
  ScriptedEntropy entropy({
      0b10,  // the sign (plus), then one_in(2) = false: V = 0
      0x40,
      1,  // q itself: out of range, drawn again
      0x40,
      0,  // U = q - 1
      0x40,
      0,  // not below U: K = 1, U is kept
      sentinel,
  });
  RandomWords words(entropy);
  const GeometricSampler sampler(Epsilon(0x1p70), (Int128{1} << 70) + 1);
  EXPECT_TRUE(sampler.draw(10, words) == 11);  // floor((q - 1) / p) = 1
  EXPECT_EQ(words.word(), sentinel);
}

TEST(GeometricSampler, StopsAtTheReleaseLimit) {
  SeededEntropy entropy(4);
  RandomWords words(entropy);
  // Scale 2^1100: every draw is beyond 38 digits (up to a chance of 2^-970), on both sides.
  const GeometricSampler sampler(Epsilon(0x1p-1000), Int128{1} << 100);
  int above = 0;
  for (int i = 0; i < 200; ++i) {
    const Int128 value = sampler.draw(0, words);
    ASSERT_TRUE(value == largest_release || value == -largest_release);
    above += value > 0 ? 1 : 0;
  }
  EXPECT_GT(above, 50);
  EXPECT_LT(above, 150);
  const GeometricSampler small(Epsilon(1.0), 1);
  EXPECT_TRUE(small.draw(std::numeric_limits<Int128>::max(), words) == largest_release);
  EXPECT_TRUE(small.draw(std::numeric_limits<Int128>::min(), words) == -largest_release);
}

}  // namespace
}  // namespace tacit
