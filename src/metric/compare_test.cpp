#include "metric/compare.hpp"

#include <gtest/gtest.h>

#include "metric/evaluate.hpp"
#include "metric/random_metric_testing.hpp"

namespace tacit {
namespace {

using testing::metric;
using testing::random_metric;
using testing::random_vector;

double ratio(const char* n, const char* m) { return largest_ratio(*metric(n), *metric(m)).value_or(-1.0); }
bool at_most(const char* n, const char* m) { return is_at_most(*metric(n), *metric(m)); }

TEST(CompareMetrics, KnownRatios) {
  EXPECT_NEAR(ratio("l2(x, y)", "l1(x, y)"), 1.0, 1e-12);
  EXPECT_NEAR(ratio("l1(x, y)", "l2(x, y)"), std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(ratio("l1(x, y, z)", "linf(x, y, z)"), 3.0, 1e-12);
  EXPECT_NEAR(ratio("l1(3 * x, 4 * y)", "l2(x, y)"), 5.0, 1e-12) << "Hoelder";
  EXPECT_NEAR(ratio("0.25 * x", "l2(x, y)"), 0.25, 1e-12) << "Lemma 2 of Laud et al. 2020 gives 0.5 here";
  EXPECT_NEAR(ratio("l1(x, y, z)", "l1(l2(x, y), z)"), std::sqrt(2.0), 1e-12) << "regrouped";
  EXPECT_NEAR(ratio("l1(l2(x, y), z)", "l1(x, y, z)"), 1.0, 1e-12);
  EXPECT_NEAR(ratio("l1(2 * linf(x, y), 3 * z)", "4 * l1(linf(x, y), z)"), 0.75, 1e-12);
  EXPECT_EQ(ratio("l1(x, y)", "x"), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(*best_factor(*metric("l1(x, y)"), *metric("l2(x, y)")), std::sqrt(0.5), 1e-12);
  EXPECT_EQ(*best_factor(*metric("l1(x, y)"), *metric("x")), 0.0);
}

TEST(CompareMetrics, WhatCannotBeComparedIsLeftOpen) {
  EXPECT_FALSE(largest_ratio(*metric("x"), *metric("ln(x)")));
  EXPECT_FALSE(largest_ratio(*metric("l2(l1(a, b), l1(c, d))"), *metric("linf(l1(a, c), l1(b, d))")));
  EXPECT_FALSE(largest_ratio(*metric("hamming"), *metric("x")));
  EXPECT_FALSE(at_most("x", "ln(x)"));
  EXPECT_TRUE(at_most("hamming", "hamming"));
}

TEST(CompareMetrics, AtMostIsExactForFactors) {
  EXPECT_TRUE(at_most("l1(0.1 * x, y)", "l1(y, 0.1 * x)"));
  EXPECT_TRUE(at_most("linf(x, y)", "l2(x, y)"));
  EXPECT_FALSE(at_most("l2(x, y)", "linf(x, y)"));
  EXPECT_TRUE(at_most("0.2 * 0.3 * x", "0.06 * x"));
  EXPECT_FALSE(at_most("0.10000000000000000000000001 * x", "0.1 * x"));
  EXPECT_TRUE(at_most("0.1 * x", "0.10000000000000000000000001 * x"));
  EXPECT_TRUE(at_most("l1(x, y)", "linf(2 * x, 3 * y)"));
  EXPECT_FALSE(at_most("l1(x, y)", "x"));
}

// Another metric over the same columns: other factors and exponents, the same tree.
MetricPtr varied(std::mt19937_64& random, const MetricNode& metric) {
  const auto make = [](auto node) { return std::make_shared<const MetricNode>(MetricNode{std::move(node)}); };
  if (const auto* scale = std::get_if<MetricScale>(&metric.node)) {
    return make(MetricScale{Decimal{static_cast<long long>(1 + random() % 900), 1}, varied(random, *scale->child)});
  }
  if (const auto* norm = std::get_if<MetricNorm>(&metric.node)) {
    MetricNorm other{norm->exponent, {}};
    if (random() % 2 == 0)
      other.exponent = {random() % 3 == 0, Decimal{static_cast<long long>(100 + random() % 300), 2}};
    for (const auto& child : norm->children) other.children.push_back(varied(random, *child));
    return make(std::move(other));
  }
  return make(metric.node);
}

TEST(CompareMetrics, TheRatioIsNeverExceededAndNearlyAttained) {
  std::mt19937_64 random(31);
  for (int round = 0; round < 150; ++round) {
    int columns = 0;
    const auto m = random_metric(random, 3, columns);
    const auto n = varied(random, *m);
    const auto largest = largest_ratio(*n, *m);
    ASSERT_TRUE(largest) << to_string(*n) << " against " << to_string(*m);
    double seen = 0.0;
    auto best = random_vector(random, columns);
    const auto attempt = [&](const std::map<std::string, double>& x) {
      const double of_m = distance(*m, x);
      if (of_m == 0.0) return;
      const double found = distance(*n, x) / of_m;
      ASSERT_LE(found, *largest) << to_string(*n) << " against " << to_string(*m);
      if (found > seen) seen = found, best = x;
    };
    for (int i = 0; i < 300; ++i) attempt(random_vector(random, columns));
    std::uniform_real_distribution<double> offset(-1.0, 1.0);
    for (int i = 0; i < 6000; ++i) {  // climb
      auto x = best;
      const double step = std::pow(10.0, -5.0 * i / 6000.0);
      for (auto& [name, value] : x) {
        if (random() % 3 != 0) value *= std::exp(step * 2.0 * offset(random));
        if (random() % 50 == 0) value = random() % 2 == 0 ? 0.0 : step;
        if (random() % 20 == 0) value = x.begin()->second;
      }
      attempt(x);
    }
    if (columns <= 4) {
      EXPECT_GE(seen, *largest * 0.98) << to_string(*n) << " against " << to_string(*m);
    }
  }
}

}  // namespace
}  // namespace tacit
