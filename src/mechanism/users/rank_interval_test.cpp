// False alarms: every comparison runs on a seeded generator, so its verdict is the same on every run.
#include "mechanism/users/rank_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace tacit {
namespace {

TEST(RankInterval, RingsCoverEveryPlaceOnce) {
  for (const int places : {1, 2, 3, 17, 601, 65'536}) {
    for (const int centre : {0, 1, places / 3, places / 2, places - 1}) {
      if (centre >= places) continue;
      const auto rings = rings_around(centre, places);
      int next = 0;
      bool has_centre = false;
      for (const Ring& ring : rings) {
        ASSERT_EQ(ring.first, next);
        ASSERT_LE(ring.first, ring.last);
        has_centre = has_centre || (ring.first == centre && ring.last == centre);
        next = ring.last + 1;
      }
      EXPECT_EQ(next, places);
      EXPECT_TRUE(has_centre);
      EXPECT_LE(rings.size(), 34U);
    }
  }
  const auto rings = rings_around(4, 16);  // 0 | 1-2 | 3 | 4 | 5 | 6-7 | 8-11 | 12-15
  EXPECT_EQ(rings.size(), 8U);
}

double noise(std::mt19937_64& random, double scale) {
  std::geometric_distribution<int> law(-std::expm1(-1.0 / scale));
  return static_cast<double>(law(random) - law(random));
}

// 100,000 draws of a sum that passes the bound with a chance of 0.01 at most: 1,150 with a probability below 1e-5.
TEST(RankInterval, ChernoffsBoundHoldsAndIsNotWild) {
  std::mt19937_64 random(3);
  for (const auto& [below, above, fraction] :
       {std::tuple{17U, 17U, 0.5}, std::tuple{1U, 0U, 0.3}, std::tuple{20U, 13U, 0.99}, std::tuple{3U, 30U, 0.1}}) {
    const double bound = rank_noise_up(below, above, fraction, 0.01);
    for (const double scale : {0.5, 20.0}) {
      int passed = 0;
      for (int trial = 0; trial < 100'000; ++trial) {
        double sum = 0.0;
        for (unsigned i = 0; i < below; ++i) sum += (1.0 - fraction) * noise(random, scale);
        for (unsigned i = 0; i < above; ++i) sum -= fraction * noise(random, scale);
        passed += sum >= bound * scale ? 1 : 0;
      }
      EXPECT_LE(passed, 1'150);
    }
    const double variance = 2.0 * (below * std::pow(1.0 - fraction, 2) + above * std::pow(fraction, 2));
    EXPECT_LE(bound, 5.0 * std::sqrt(variance));
  }
}

TEST(RankInterval, WithoutNoiseTheEndsAreNextToTheQuantile) {
  const std::vector<double> counts{100, 100, 100, 100, 100, 100, 100};
  const RingRange middle = rings_of_quantile(counts, 3, 0.5, 1e-9);
  EXPECT_EQ(middle.first, 3U);
  EXPECT_EQ(middle.last, 3U);
  const RingRange far = rings_of_quantile(counts, 0, 0.5, 1e-9);  // the choice was wrong
  EXPECT_EQ(far.first, 0U);
  EXPECT_EQ(far.last, 3U);
  const RingRange end = rings_of_quantile(counts, 6, 0.999, 1e-9);
  EXPECT_EQ(end.first, 6U);
  EXPECT_EQ(end.last, 6U);
  const RingRange few = rings_of_quantile({0, 1, 0, 1, 1}, 2, 0.5, 1e-9);
  EXPECT_EQ(few.first, 0U);
  EXPECT_EQ(few.last, 4U);
}

// Worlds whose quantile lies anywhere beside the centre, also where nobody is for long: the interval misses it in one
// of 20 draws at most; in fact far less often, for the bounds are not tight.
TEST(RankInterval, HoldsTheQuantile) {
  std::mt19937_64 random(5);
  constexpr int trials = 20'000;
  int missed = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const double scale = 10.0;
    const int centre = static_cast<int>(random() % 1000);
    const auto rings = rings_around(centre, 1000);
    std::vector<double> exact(rings.size());
    for (double& count : exact) count = random() % 2 == 0 ? 0.0 : static_cast<double>(random() % 200);
    exact[0] += 1.0;
    const double fraction = static_cast<double>(1 + random() % 99) / 100.0;
    std::vector<double> counts;
    for (const double count : exact) counts.push_back(count + noise(random, scale));
    const auto ring_of = [&](auto holds) {
      std::size_t ring = 0;
      while (!holds(ring)) ++ring;
      return ring;
    };
    const std::size_t own = ring_of([&](std::size_t i) { return rings[i].last >= centre; });
    const RingRange found = rings_of_quantile(counts, own, fraction, scale);
    const double rank = (std::accumulate(exact.begin(), exact.end(), 0.0) - 1.0) * fraction;
    for (const double person : {std::floor(rank), std::ceil(rank)}) {
      double up_to = 0.0;
      const std::size_t ring = ring_of([&](std::size_t i) { return (up_to += exact[i]) > person; });
      missed += ring < found.first || ring > found.last ? 1 : 0;
    }
  }
  EXPECT_LE(missed, trials / 20);
}

}  // namespace
}  // namespace tacit
