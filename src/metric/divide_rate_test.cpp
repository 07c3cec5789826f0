#include "metric/divide_rate.hpp"

#include <gtest/gtest.h>

#include "base/check.hpp"
#include "metric/dual.hpp"
#include "metric/random_metric_testing.hpp"

namespace tacit {
namespace {

using testing::metric;
using testing::random_metric;

TEST(DivideRate, KnownValues) {
  const auto rate = [](const char* text, const std::map<std::string, int>& factors) {
    return divide_rate(*metric(text), factors, 0.6);
  };
  EXPECT_NEAR(rate("l1(x, y)", {{"x", 1}, {"y", 1}}).at("x"), 0.6, 1e-12) << "l1: each part has the whole";
  EXPECT_NEAR(rate("l1(2 * x, y)", {{"x", 3}}).at("x"), 0.4, 1e-12) << "a factor scales, three factors share";
  EXPECT_NEAR(rate("linf(x, y, z)", {{"x", 1}, {"y", 1}}).at("x"), 0.3, 1e-12) << "only what is read has a share";
  EXPECT_NEAR(rate("l2(x, y)", {{"x", 1}, {"y", 1}}).at("y"), 0.6 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(rate("lp(4; x, y)", {{"x", 1}, {"y", 1}}).at("y"), 0.6 / std::pow(2.0, 0.75), 1e-12);
  EXPECT_NEAR(rate("l1(0.1 * l2(x, y), ln(v))", {{"x", 1}, {"v", 2}}).at("v"), 0.3, 1e-12);
  EXPECT_NEAR(rate("l1(0.1 * l2(x, y), ln(v))", {{"x", 1}, {"v", 2}}).at("x"), 0.06, 1e-12);
  EXPECT_TRUE(rate("l1(x, y)", {}).empty());
}

TEST(DivideRate, TheDualNormOfAllRatesFits) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 3000; ++round) {
    int columns = 0;
    const auto norm = random_metric(random, 5, columns);
    std::map<std::string, int> factors;
    for (int i = 0; i < columns; ++i) {
      if (random() % 3 != 0) factors[fmt::format("c{}", i)] = static_cast<int>(1 + random() % 5);
    }
    const double beta = std::pow(10.0, static_cast<double>(random() % 9) - 6.0);
    const auto rates = divide_rate(*norm, factors, beta);
    std::map<std::string, double> total;
    for (const auto& [column, rate] : rates) {
      ASSERT_GT(rate, 0.0);
      total[column] = rate * factors.at(column);
    }
    ASSERT_LE(dual_norm(*norm, total), beta) << to_string(*norm);
    if (!factors.empty()) {
      ASSERT_GE(dual_norm(*norm, total), beta * (1.0 - 1e-11)) << "nothing is left: " << to_string(*norm);
    }
  }
}

TEST(DivideRate, WhatCannotBeDividedIsOurs) {
  EXPECT_THROW(divide_rate(*metric("x"), {{"y", 1}}, 0.1), InvariantBroken);
  EXPECT_THROW(divide_rate(*metric("x"), {{"x", 0}}, 0.1), InvariantBroken);
  EXPECT_THROW(divide_rate(*metric("x"), {{"x", 1}}, -0.1), InvariantBroken);
  EXPECT_THROW(divide_rate(*metric("manhattan"), {{"x", 1}}, 0.1), InvariantBroken);
  EXPECT_EQ(divide_rate(*metric("x"), {{"x", 1}}, 0.0).at("x"), 0.0);
}

}  // namespace
}  // namespace tacit
