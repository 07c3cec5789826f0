#include "sensitivity/metric/derivative/soft_comparison.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sensitivity/metric/derivative/assign_rates.hpp"
#include "sensitivity/metric/derivative/random_filter_testing.hpp"

namespace tacit::testing {
namespace {

class SoftComparisons : public ::testing::Test {
 protected:
  SoftComparison compared(const char* rule, const char* constant) const {
    const ExprPtr predicate = bound_call(rule, {cells_.table.column("s"), literal(constant)});
    const auto found = soft_comparison(*predicate, cells_.table.differentiator());
    EXPECT_TRUE(found.has_value()) << rule << constant;
    return found.value_or(SoftComparison{});
  }
  double at(const SoftComparison& comparison, double x) const {
    return sql_value(**number_of(comparison), {{cells_.table.cell("s"), x}});
  }
  double bound_of(const BoundPtr& bound, double beta, double x) const {
    const BoundPtr rated = assign_rates(bound, cells_.table.roles(), cells_.table.columns(), NormExponent{}, beta);
    return bound_at(*rated, {{cells_.table.cell("s"), x}});
  }

  const FilterCells cells_;
};

TEST_F(SoftComparisons, IsHalfAtItsBorderAndNearlyDecidedBeyond) {
  constexpr double far = 4.0 / 1.7;
  const SoftComparison above = compared(">", "0.1");
  EXPECT_DOUBLE_EQ(above.center, 0.1);
  EXPECT_DOUBLE_EQ(at(above, 0.1), 0.5);
  EXPECT_NEAR(at(above, 0.1 + far), 0.982, 1e-3);
  EXPECT_NEAR(at(compared("<=", "3"), 3.0 + far), 0.018, 1e-3);
  EXPECT_DOUBLE_EQ(at(compared("=", "3"), 3.0), 1.0);
  EXPECT_DOUBLE_EQ(at(compared("<>", "3"), 3.0), 0.0);
}

TEST_F(SoftComparisons, ANegationIsOneMinusIt) {
  for (const char* rule : {"<", "<=", ">", ">=", "=", "<>"}) {
    const SoftComparison comparison = compared(rule, "-2.5");
    for (const double x : {-30.0, -2.5, -2.0, 0.0, 7.0}) {
      EXPECT_NEAR(at(comparison, x) + at(comparison.negated(), x), 1.0, 1e-12) << rule << x;
    }
  }
}

TEST_F(SoftComparisons, ANullCountsNothingEitherWay) {
  for (const char* rule : {"<", ">", "=", "<>"}) EXPECT_EQ(sql_value(**number_of(compared(rule, "1")), {}), 0.0);
}

TEST_F(SoftComparisons, AConstantMayStandOnTheLeft) {
  const ExprPtr predicate = bound_call("<", {literal("3"), cells_.table.column("s")});
  const auto found = soft_comparison(*predicate, cells_.table.differentiator());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kind, SoftComparison::Kind::above);
}

TEST_F(SoftComparisons, OtherColumnsHaveNone) {
  for (const char* name : {"x", "d", "r", "free"}) {
    const ExprPtr predicate = bound_call("<", {cells_.table.column(name), literal("3")});
    EXPECT_FALSE(soft_comparison(*predicate, cells_.table.differentiator()).has_value()) << name;
  }
}

TEST_F(SoftComparisons, ValueAndSlopeAreBoundedAndBoundsAreSmooth) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-25.0, 25.0);
  for (const char* rule : {"<", ">=", "=", "<>"}) {
    const SoftComparison comparison = compared(rule, "1.5");
    const BoundPtr value = value_bound(comparison);
    const BoundPtr slope = slope_bound(comparison);
    EXPECT_DOUBLE_EQ(slope->supremum, *rule == '<' && rule[1] == '\0' ? 1.7 / 4 : *rule == '>' ? 1.7 / 4 : 1.7 / 2);
    for (const double beta : {0.01, 0.5, 1.7, 6.0}) {
      for (int i = 0; i < 300; ++i) {
        const double x = i % 3 == 0 ? 1.5 + place(random) / 100.0 : place(random);
        const double y = x + place(random) / 10.0;
        constexpr double h = 1e-5;
        const double moved = std::fabs(at(comparison, x + h) - at(comparison, x - h)) / (2.0 * h);
        EXPECT_LE(at(comparison, x), bound_of(value, beta, x) * (1.0 + 1e-12));
        EXPECT_LE(moved, bound_of(slope, beta, x) * (1.0 + 1e-4) + 1e-10) << rule << " at " << x;
        const double most = std::exp(beta * std::fabs(x - y)) * (1.0 + 1e-9);
        EXPECT_LE(bound_of(slope, beta, x), bound_of(slope, beta, y) * most);
        EXPECT_LE(bound_of(value, beta, x), bound_of(value, beta, y) * most);
      }
    }
  }
}

}  // namespace
}  // namespace tacit::testing
