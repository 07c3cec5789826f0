// False alarms: every comparison runs on seeded entropy, so its verdict is the same on every run.
#include "noise/sampling/gaussian_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "noise/sampling/chi_square_testing.hpp"
#include "noise/sampling/precise_arithmetic.hpp"
#include "noise/sampling/rounded_sampler.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {
namespace {

std::vector<double> some_tails(int count) {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<double> tails{0x1p-1, 0x1p-62, 0x1p-63, 1 - 0x1p-53, 1 - 0x1p-30, 1e-300, 0x1p-1022, 0.1, 0.0999999};
  for (int i = 0; i < count; ++i) {
    tails.push_back(uniform(generator));
    tails.push_back(std::exp(-60.0 * uniform(generator)));
    tails.push_back(1.0 - std::exp(-36.0 * uniform(generator)));
  }
  return tails;
}

// The assumption of gaussian_law.hpp, with the enclosure built on it.
TEST(GaussianLaw, TheTailInDoubleContainsTheExactOne) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  PreciseInterval exact(128);
  PreciseInterval root(128);
  for (int i = 0; i < 1'500; ++i) {
    const double x = i % 2 == 0 ? 37.0 * uniform(generator) : std::exp(-40.0 * uniform(generator));
    set_to(exact, x);
    set_to(root, 2.0);
    apply(mpfr_sqrt, root);
    divide(exact, exact, root);
    mpfr_erfc(exact.lower.get(), exact.upper.get(), MPFR_RNDN);
    const DoubleInterval tail = enclose_normal_tail(x);
    ASSERT_LE(mpfr_cmp_d(exact.lower.get(), tail.upper), 0) << x;
    ASSERT_GE(mpfr_cmp_d(exact.lower.get(), tail.lower), 0) << x;
    ASSERT_LT(tail.upper / tail.lower, 1 + 1e-11) << x;
  }
}

TEST(GaussianLaw, BothEnclosuresContainTheMagnitudeAndAreTight) {
  const auto law = gaussian_law();
  for (const double v : some_tails(300)) {
    PreciseNumber tail(64);
    PreciseInterval magnitude(160);
    mpfr_set_d(tail.get(), v, MPFR_RNDN);
    law->magnitude_at(tail, magnitude);
    const DoubleInterval precise = to_doubles(magnitude);
    const DoubleInterval doubles = law->magnitude_at(v);
    EXPECT_LE(doubles.lower, precise.lower) << v;
    EXPECT_GE(doubles.upper, precise.upper) << v;
    EXPECT_LE(doubles.upper - doubles.lower, 1e-12 * (1 + doubles.upper)) << v;
    EXPECT_LE(precise.upper - precise.lower, 1e-15 * (1 + precise.upper)) << v;
  }
}

TEST(GaussianLaw, KnownQuantiles) {
  EXPECT_NEAR(gaussian_law()->magnitude_at(0.5).lower, 0.674489750196082, 1e-12);
  EXPECT_NEAR(gaussian_law()->magnitude_at(0.05).upper, 1.95996398454005, 1e-12);
  EXPECT_NEAR(gaussian_law()->magnitude_at(1e-9).upper, 6.10941020486, 1e-8);
}

TEST(GaussianLaw, TheEndsOfTheTail) {
  const auto law = gaussian_law();
  EXPECT_EQ(law->magnitude_at(1.0).upper, 0.0);
  EXPECT_TRUE(std::isinf(law->magnitude_at(0.0).upper));
  const DoubleInterval deep = law->magnitude_at(0x1p-1074);
  EXPECT_GT(deep.lower, 38.0);
  EXPECT_LT(deep.upper, 39.0);
}

std::vector<double> draws_of(double scale, int count, std::uint64_t seed) {
  const RoundedSampler sampler(gaussian_law(), ExactNumber::of(scale));
  SeededEntropy entropy(seed);
  RandomWords words(entropy);
  std::vector<double> draws;
  for (int i = 0; i < count; ++i)
    draws.push_back(static_cast<double>(sampler.draw(Int128{1'000'003}, words) - 1'000'003));
  return draws;
}

TEST(GaussianLaw, DrawsHaveTheRoundedNormalLaw) {
  for (const double scale : {0.2, 0.7, 1.0, 13.7, 1e6}) {
    const Distribution law = [scale](double k) {
      return 0.5 * std::erfc(-(std::floor(k) + 0.5) / scale / std::sqrt(2.0));
    };
    EXPECT_GT(chi_square_p_value(draws_of(scale, 100'000, 11), law, edges_for(scale)), 1e-5) << scale;
  }
}

TEST(GaussianLaw, DrawsBeyondDoubleHaveTheirDeviation) {
  const double scale = 0x1p60;
  double sum = 0.0;
  const auto draws = draws_of(scale, 2'000, 3);
  for (const double draw : draws) sum += (draw / scale) * (draw / scale);
  EXPECT_NEAR(sum / 2'000.0, 1.0, 0.15);
}

// The first word says that the noise is among the largest 2^-63: more bits are drawn.
TEST(GaussianLaw, RareBitsAreRefined) {
  const RoundedSampler sampler(gaussian_law(), ExactNumber::of(1.0));
  ScriptedEntropy entropy({0, ~std::uint64_t{0}});
  RandomWords words(entropy);
  EXPECT_EQ(sampler.draw(Int128{0}, words), 9);  // P(|Y| > m) = 2^-63 at m = 9.08
}

}  // namespace
}  // namespace tacit
