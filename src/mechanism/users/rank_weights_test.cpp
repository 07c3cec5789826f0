#include "mechanism/users/rank_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace tacit {
namespace {

TEST(RankWeights, NeverGrowAndNeverFallFasterThanHalfOfEpsilon) {
  for (const double epsilon : {1e-9, 1e-4, 0.01, 0.1, 1.0, 7.3, 1000.0}) {
    for (const int k : {1, 3, 50}) {
      const RankWeights weights{Epsilon(epsilon), k};
      const long double most = std::exp(static_cast<long double>(epsilon) / k / 2.0L / rank_steps);
      for (Int128 d = 0; d < 20'000; ++d) {
        const UInt128 here = weights.of(d);
        const UInt128 next = weights.of(d + 1);
        ASSERT_GE(here, next);
        ASSERT_GT(next, UInt128{0});
        ASSERT_LE(static_cast<long double>(here), static_cast<long double>(next) * most);
      }
      ASSERT_LE(weights.of(0), UInt128{1} << 91);
    }
  }
}

// Not so flat that the answer would be worse than it could be.
TEST(RankWeights, FallAlmostAsFastAsTheyMay) {
  for (const double epsilon : {0.01, 0.1, 1.0}) {
    const RankWeights weights{Epsilon(epsilon), 1};
    const auto far = static_cast<Int128>(30.0 * rank_steps / epsilon);
    const long double ratio = static_cast<long double>(weights.of(0)) / static_cast<long double>(weights.of(far));
    EXPECT_NEAR(static_cast<double>(std::log(ratio)), 15.0, 0.01) << epsilon;
  }
}

const std::vector<double> fractions{0.0, 0.01, 0.1, 1.0 / 3.0, 0.5, 0.731, 0.9, 0.99, 1.0};

// Every place's distance moves by at most eight when one person comes or goes, and so the chance of every place, and of
// nobody, changes by a factor of at most e^epsilon.
TEST(RankWeights, OnePersonChangesEveryChanceByAtMostEpsilon) {
  std::mt19937 random(7);
  for (const double epsilon : {0.2, 0.8, 3.0}) {
    const RankWeights weights{Epsilon(epsilon), 1};
    for (int world = 0; world < 300; ++world) {
      std::vector<Int128> people(12);
      for (Int128& count : people) count = random() % 3 == 0 ? random() % 29 : 0;
      std::vector<Int128> fewer = people;
      const std::size_t one = random() % people.size();
      ++people[one];
      for (const double fraction : fractions) {
        const RankTarget target(fraction, weights.margin(12));
        const auto chances = [&](const std::vector<Int128>& counts) {
          Int128 all = 0;
          for (const Int128 count : counts) all += count;
          std::vector<long double> chance{static_cast<long double>(weights.of(nobody_distance(all))) * 12 *
                                          nobody_per_place(fraction)};
          Int128 before = 0;
          for (const Int128 count : counts) {
            chance.push_back(static_cast<long double>(weights.of(target.distance(before, count, all))));
            before += count;
          }
          long double sum = 0.0L;
          for (const long double c : chance) sum += c;
          for (long double& c : chance) c /= sum;
          return chance;
        };
        const auto with = chances(people);
        const auto without = chances(fewer);
        for (std::size_t i = 0; i < with.size(); ++i) {
          ASSERT_LE(std::fabs(static_cast<double>(std::log(with[i] / without[i]))), epsilon + 1e-12);
        }
      }
    }
  }
}

TEST(RankWeights, OnePersonMovesEveryDistanceByAtMostEight) {
  std::mt19937 random(8);
  for (int world = 0; world < 20'000; ++world) {
    const Int128 before = random() % 200;
    const Int128 within = random() % 40;
    const Int128 after = random() % 200;
    const RankTarget target(fractions[random() % fractions.size()], Int128{random() % 60} * rank_steps + 4);
    const Int128 here = target.distance(before, within, before + within + after);
    const Int128 all = before + within + after + 1;
    for (const Int128 there : {target.distance(before + 1, within, all), target.distance(before, within + 1, all),
                               target.distance(before, within, all)}) {
      ASSERT_LE(there - here, rank_steps);
      ASSERT_LE(here - there, rank_steps);
    }
  }
}

TEST(RankWeights, APlaceThatHoldsTheQuantileIsAtNoDistance) {
  const auto distance = [](double fraction, Int128 before, Int128 within, Int128 all) {
    return RankTarget(fraction, 4).distance(before, within, all);
  };
  EXPECT_EQ(distance(0.5, 40, 30, 100), 0);
  EXPECT_EQ(distance(0.5, 0, 50, 100), 0);
  EXPECT_EQ(distance(0.5, 50, 0, 100), 0);
  EXPECT_EQ(distance(0.5, 0, 40, 100), 20 * rank_steps);  // half a person each
  EXPECT_EQ(distance(0.5, 60, 40, 100), 20 * rank_steps);
  EXPECT_EQ(distance(0.9, 0, 40, 100), 444);  // floor(8 * 50 / 0.9)
  EXPECT_EQ(distance(0.9, 95, 0, 100), 44);   // floor(8 * 5 / 0.9)
  EXPECT_EQ(distance(0.1, 60, 40, 100), distance(0.9, 0, 40, 100));
  // The greatest value itself, and not what is beyond or before it.
  EXPECT_EQ(distance(1.0, 99, 1, 100), 0);
  EXPECT_EQ(distance(1.0, 100, 0, 100), 4);
  EXPECT_EQ(distance(1.0, 98, 1, 100), 4);
  EXPECT_EQ(distance(0.0, 0, 1, 100), 0);
  EXPECT_EQ(distance(0.0, 0, 0, 100), 4);
}

// The margin moves the target inward, not beyond one half of the people.
TEST(RankWeights, TheEndsAreKeptAwayFrom) {
  const RankTarget greatest(1.0, 10 * rank_steps + 4);
  EXPECT_EQ(greatest.distance(989, 1, 1000), 0);
  EXPECT_EQ(greatest.distance(1000, 0, 1000), 84);
  const RankTarget high(0.995, 10 * rank_steps + 4);
  EXPECT_EQ(high.distance(989, 1, 1000), 0);
  EXPECT_EQ(high.distance(9'950, 1, 10'000), 0);
  EXPECT_EQ(greatest.distance(5, 1, 10), 0);  // a group of ten: the middle
  const RankWeights weights{Epsilon(1.0), 1};
  const Int128 margin = weights.margin(65'536);
  EXPECT_LE(static_cast<long double>(weights.of(margin)) * 65'536, 0.04L * static_cast<long double>(weights.of(0)));
  EXPECT_GT(static_cast<long double>(weights.of(margin - 8)) * 65'536, 0.04L * static_cast<long double>(weights.of(0)));
  EXPECT_EQ(margin % rank_steps, 4);
}

TEST(RankWeights, SharesAddUpToEpsilonAtMost) {
  std::mt19937 random(9);
  for (int i = 0; i < 10'000; ++i) {
    const Epsilon epsilon(std::ldexp(static_cast<double>(random()) + 1.0, static_cast<int>(random() % 60) - 50));
    const QuantileShares shares = quantile_shares(epsilon, 0.5);
    ASSERT_LE(static_cast<long double>(shares.choice.value()) + shares.interval.value(), epsilon.value());
    ASSERT_GE(shares.choice.value() + shares.interval.value(), epsilon.value() * (1.0 - 1e-14));
  }
  EXPECT_EQ(quantile_shares(Epsilon(2.0), 1.0).choice.value(), 2.0);
  EXPECT_EQ(quantile_shares(Epsilon(2.0), 0.0).interval.value(), 0.0);
}

TEST(RankWeights, WhatExplainTellsOfAnEndIncludesTheMargin) {
  EXPECT_NEAR(rank_error(Epsilon(0.9), 1, 0.5, 65'536, 0.95), std::log(20.0) / 0.81, 1e-9);
  const double margin = static_cast<double>(RankWeights(Epsilon(1.0), 2).margin(601)) / rank_steps;
  EXPECT_NEAR(rank_error(Epsilon(1.0), 2, 1.0, 601, 0.5), margin, 1e-9);
  EXPECT_NEAR(rank_error(Epsilon(1.0), 2, 0.0, 601, 0.95), margin + 4.0 * std::log(10.0), 1e-9);
}

}  // namespace
}  // namespace tacit
