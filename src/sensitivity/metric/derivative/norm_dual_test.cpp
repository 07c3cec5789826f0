#include "sensitivity/metric/derivative/norm_dual.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "metric/dual.hpp"
#include "metric/evaluate.hpp"
#include "metric/random_metric_testing.hpp"
#include "sensitivity/metric/derivative/private_row_testing.hpp"

namespace tacit::testing {
namespace {

struct RandomCells {
  MetricPtr metric;
  std::vector<ColumnPtr> columns;

  explicit RandomCells(std::mt19937_64& random) {
    int count = 0;
    metric = random_metric(random, 3, count);
    for (int i = 0; i < count; ++i) {
      columns.push_back(
          std::make_shared<const Column>(Column{fmt::format("c{}", i), SqlType::integer(32), true, {}, {}, {}, ""}));
    }
  }
};

TEST(NormDual, ExponentsAreDual) {
  EXPECT_EQ(dual_exponent(NormExponent{}), infinity);
  EXPECT_EQ(dual_exponent({true, {}}), 1.0);
  EXPECT_EQ(dual_exponent({false, Decimal{2, 0}}), 2.0);
  EXPECT_NEAR(dual_exponent({false, Decimal{3, 0}}), 1.5, 1e-15);
  EXPECT_NEAR(dual_exponent({false, Decimal{101, 2}}), 101.0, 1e-9);
}

// f(x, y) = x y at (3, -4), x and y cells of two rows that combine by lp: slopes 4 and 3.
TEST(NormDual, TheGradientOfAProductInThreeNorms) {
  const auto sensitivity = [](NormExponent p) {
    return constant_of(*combined(dual_exponent(p), {constant_bound(4.0), constant_bound(3.0)}));
  };
  EXPECT_EQ(sensitivity(NormExponent{}), 4.0);
  EXPECT_NEAR(sensitivity({false, Decimal{2, 0}}), 5.0, 1e-12);
  EXPECT_EQ(sensitivity({true, {}}), 7.0);
}

TEST(NormDual, AgreesWithTheDualNormOfNumbers) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const RandomCells cells(random);
    Gradient gradient;
    std::map<std::string, double> weights;
    for (const auto& [name, slope] : random_vector(random, static_cast<int>(cells.columns.size()))) {
      weights[name] = std::fabs(slope);
      for (const auto& column : cells.columns) {
        if (column->name == name && slope != 0.0) gradient[column.get()] = constant_bound(std::fabs(slope));
      }
    }
    const BoundPtr dual = dual_of_gradient(*cells.metric, gradient, cells.columns);
    ASSERT_TRUE(is_constant(*dual));
    EXPECT_NEAR(constant_of(*dual), dual_norm(*cells.metric, weights), 1e-9 * constant_of(*dual));
  }
}

// |<slopes, move>| <= dual * distance: what the bound is for.
TEST(NormDual, NoMoveChangesALinearFunctionByMore) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const RandomCells cells(random);
    const int count = static_cast<int>(cells.columns.size());
    const auto slopes = random_vector(random, count);
    const auto move = random_vector(random, count);
    Gradient gradient;
    double change = 0.0;
    for (const auto& column : cells.columns) {
      gradient[column.get()] = constant_bound(std::fabs(slopes.at(column->name)));
      change += slopes.at(column->name) * move.at(column->name);
    }
    const double dual = constant_of(*dual_of_gradient(*cells.metric, gradient, cells.columns));
    EXPECT_LE(std::fabs(change), dual * distance(*cells.metric, move) * (1.0 + 1e-12));
  }
}

TEST(NormDual, CellsOfOtherRolesDoNotMatter) {
  const PrivateTable table("l1(x, 4 * y)", {{"x", SqlType::integer(32)}, {"y", SqlType::integer(32)}}, {}, 2);
  const Gradient gradient{{table.cell("x", 0), constant_bound(3.0)}, {table.cell("y", 1), constant_bound(8.0)}};
  const auto dual = [&](std::size_t role) {
    return constant_of(*dual_of_gradient(*table.metric().metric, gradient, table.roles()[role].scan->columns));
  };
  EXPECT_EQ(dual(0), 3.0);
  EXPECT_NEAR(dual(1), 2.0, 1e-12);
}

}  // namespace
}  // namespace tacit::testing
