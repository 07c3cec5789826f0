#include "metric/merge_columns.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "metric/evaluate.hpp"
#include "metric/random_metric_testing.hpp"
#include "metric/scale.hpp"

namespace tacit {
namespace {

std::string merged(std::string_view text) {  // the parser merges
  const auto metric = parse_metric(text);
  return metric ? to_string(**metric) : "error: " + metric.error().what;
}

TEST(MergeColumns, FactorsAreCombinedAsTheNormDoes) {
  EXPECT_EQ(merged("l1(x, X)"), "l1(2 * x)");
  EXPECT_EQ(merged("l1(0.1 * x, y, 0.25 * x)"), "l1(0.35 * x, y)");
  EXPECT_EQ(merged("linf(0.1 * x, y, 0.25 * x)"), "linf(0.25 * x, y)");
  EXPECT_EQ(merged("l2(3 * x, 4 * x)"), "l2(5 * x)") << "exact where the root is";
  EXPECT_EQ(merged("l2(x, x)"), "l2(1.41421356237309 * x)") << "else rounded down";
  EXPECT_EQ(merged("l1(discrete(k), 2 * discrete(k))"), "l1(3 * discrete(k))");
}

TEST(MergeColumns, NestedNormsOfTheSameExponentAreOne) {
  EXPECT_EQ(merged("l1(x, 2 * l1(x, y))"), "l1(3 * x, 2 * y)");
  EXPECT_EQ(merged("l1(x, 2 * l2(x))"), "l1(3 * x)") << "a norm of one part is its part";
  EXPECT_EQ(merged("5 * l1(a, linf(x, 2 * x))"), "5 * l1(a, linf(2 * x))");
}

TEST(MergeColumns, OtherRepetitionsAreRefused) {
  for (const char* text : {"l1(x, l2(x, y))", "l1(x, ln(x))", "l2(l1(x, y), l1(x, z))", "l1(discrete(x), x)"}) {
    EXPECT_EQ(merged(text), "error: column x occurs twice in the metric") << text;
  }
}

TEST(MergeColumns, TheDistanceStaysOrIsALittleSmaller) {
  std::mt19937_64 random(41);
  for (const int p : {1, 2, 3, 0}) {  // 0: infinity
    for (int round = 0; round < 300; ++round) {
      MetricNorm norm;
      norm.exponent = {p == 0, Decimal{std::max(p, 1), 0}};
      const auto parts = 2 + random() % 6;
      for (std::size_t i = 0; i < parts; ++i) {
        const auto column =
            std::make_shared<const MetricNode>(MetricNode{MetricColumn{fmt::format("c{}", random() % 3)}});
        norm.children.push_back(
            scale(column, Decimal{static_cast<long long>(1 + random() % 100000), static_cast<int>(random() % 7)}));
      }
      const auto metric = std::make_shared<const MetricNode>(MetricNode{norm});
      const auto once = merge_columns(metric);
      ASSERT_NE(once, nullptr) << to_string(*metric);
      const auto x = testing::random_vector(random, 3);
      const double before = distance(*metric, x), after = distance(*once, x);
      ASSERT_NEAR(after, before, 1e-13 * before) << to_string(*metric) << " and " << to_string(*once);
      ASSERT_LE(after, before * (1.0 + 1e-15)) << to_string(*metric) << " and " << to_string(*once);
    }
  }
}

TEST(ScaleMetric, MultipliesFactorsWhereTheProductIsExact) {
  EXPECT_EQ(to_string(*scale(testing::metric("l1(x, y)"), Decimal{5, 1})), "0.5 * l1(x, y)");
  EXPECT_EQ(to_string(*scale(testing::metric("2 * x"), Decimal{5, 1})), "x");
  EXPECT_EQ(to_string(*scale(testing::metric("3 * x"), Decimal{5, 1})), "1.5 * x");
  EXPECT_EQ(to_string(*scale(testing::metric("2 * 3 * x"), Decimal{1, 0})), "2 * 3 * x");
}

}  // namespace
}  // namespace tacit
