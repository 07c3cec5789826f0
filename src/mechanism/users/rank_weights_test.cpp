#include "mechanism/users/rank_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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

// Every leaf's distance moves by at most eight when one person comes or goes, and so the chance of every leaf changes
// by a factor of at most e^epsilon.
TEST(RankWeights, OnePersonChangesEveryChanceByAtMostEpsilon) {
  std::mt19937 random(7);
  const double epsilon = 0.8;
  const RankWeights weights{Epsilon(epsilon), 1};
  for (int world = 0; world < 300; ++world) {
    std::vector<Int128> people(12);
    for (Int128& count : people) count = random() % 3 == 0 ? random() % 9 : 0;
    std::vector<Int128> fewer = people;
    const std::size_t one = random() % people.size();
    ++people[one];
    for (const double fraction : {0.1, 1.0 / 3.0, 0.5, 0.731, 0.9}) {
      const auto chances = [&](const std::vector<Int128>& counts) {
        Int128 all = 0;
        for (const Int128 count : counts) all += count;
        std::vector<long double> chance;
        long double sum = 0.0L;
        Int128 before = 0;
        for (const Int128 count : counts) {
          chance.push_back(static_cast<long double>(weights.of(rank_distance(fraction, before, count, all))));
          sum += chance.back();
          before += count;
        }
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

TEST(RankWeights, ALeafThatHoldsTheQuantileIsAtNoDistance) {
  EXPECT_EQ(rank_distance(0.5, 40, 30, 100), 0);
  EXPECT_EQ(rank_distance(0.5, 0, 50, 100), 0);
  EXPECT_EQ(rank_distance(0.5, 50, 0, 100), 0);
  EXPECT_EQ(rank_distance(0.5, 0, 40, 100), 20 * rank_steps);  // half a person each
  EXPECT_EQ(rank_distance(0.5, 60, 40, 100), 20 * rank_steps);
  EXPECT_EQ(rank_distance(0.9, 0, 40, 100), 444);  // floor(8 * 50 / 0.9)
  EXPECT_FALSE(is_chosen_by_rank(0.0));
  EXPECT_FALSE(is_chosen_by_rank(1.0));
  EXPECT_TRUE(is_chosen_by_rank(0.5));
}

}  // namespace
}  // namespace tacit
