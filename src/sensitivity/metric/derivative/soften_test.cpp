#include "sensitivity/metric/derivative/soften.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sensitivity/metric/derivative/random_filter_testing.hpp"

namespace tacit::testing {
namespace {

using ::testing::HasSubstr;

class Soften : public ::testing::Test {
 protected:
  SoftFilter softened(const std::vector<ExprPtr>& conjuncts) const {
    auto filter = soften(conjuncts, cells_.table.differentiator());
    EXPECT_TRUE(filter.has_value()) << (filter ? "" : to_line(filter.error()));
    return filter ? std::move(*filter) : SoftFilter{};
  }
  std::string refusal(const ExprPtr& conjunct) const {
    const auto filter = soften({conjunct}, cells_.table.differentiator());
    if (filter) return "accepted";
    EXPECT_EQ(filter.error().code, FailureCode::refused);
    EXPECT_FALSE(filter.error().hint.empty());
    return filter.error().what;
  }
  ExprPtr column(const std::string& name) const { return cells_.table.column(name); }

  const FilterCells cells_;
};

TEST_F(Soften, OnGridPointsTheFilterIsTheCondition) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 400; ++i) {
    const std::vector<ExprPtr> conjuncts{cells_.condition(random, 2), cells_.condition(random, 2)};
    const SoftFilter filter = softened(conjuncts);
    for (int k = 0; k < 20; ++k) {
      const RowValues row = cells_.grid_row(random, k % 3 == 0);
      const bool holds = sql_value(*conjuncts[0], row) == 1.0 && sql_value(*conjuncts[1], row) == 1.0;
      EXPECT_EQ(filter_value(filter, row), holds ? 1.0 : 0.0);
    }
  }
}

TEST_F(Soften, CoreIsWhereItIsOneAndNothingCountsOutsideCoreAndEdge) {
  std::mt19937_64 random(2);
  int seen = 0;
  for (int i = 0; i < 300; ++i) {
    const SoftFilter filter = softened({cells_.condition(random, 1), cells_.condition(random, 1)});
    if (!filter.core) continue;
    ++seen;
    for (int k = 0; k < 30; ++k) {
      const RowValues row = cells_.row(random);
      const double value = sql_value(*filter.soft, row);
      EXPECT_GE(value, 0.0);
      EXPECT_LE(value, 1.0 + 1e-12);
      const bool in_core = sql_value(*filter.core, row) == 1.0;
      const bool on_edge = sql_value(*filter.edge, row) == 1.0;
      if (in_core) {
        EXPECT_EQ(value, 1.0);
      }
      if (!in_core && !on_edge) {
        EXPECT_EQ(value, 0.0);
      }
    }
  }
  EXPECT_GT(seen, 20);
}

TEST_F(Soften, ConjunctsOverOneColumnAreOneSet) {
  const SoftFilter filter =
      softened({bound_call(">=", {column("x"), literal("3")}), bound_call("<", {column("x"), literal("7")}),
                bound_call("<", {column("r"), literal("2")})});
  ASSERT_EQ(filter.sets.size(), 2);
  EXPECT_EQ(filter.sets[0].set, GridSet::at_least(3).intersected(GridSet::at_most(6)));
  EXPECT_TRUE(filter.pieces.empty());
  EXPECT_TRUE(filter.hard && filter.soft);
}

// Product of two ramps in one variable would be 2 / step steep; the minimum is 1 / step.
TEST_F(Soften, TwoComparisonsOfOneExpressionAreAsSteepAsOne) {
  const ExprPtr sum = bound_call("+", {column("x"), column("y")});
  const SoftFilter filter =
      softened({bound_call("and", {bound_call(">=", {sum, literal("3")}), bound_call("<=", {sum, literal("3")})})});
  const Gradient joint = joint_gradient(filter.pieces);
  EXPECT_NEAR(constant_of(*joint.at(cells_.table.cell("x"))), 1.0, 1e-9);
}

TEST_F(Soften, DiscreteColumnsTakeAnyPredicateWithSlopeOne) {
  const SoftFilter filter = softened({bound_call("is null", {column("k")})});
  EXPECT_TRUE(filter.sets.empty());
  EXPECT_EQ(constant_of(*joint_gradient(filter.pieces).at(cells_.table.cell("k"))), 1.0);
}

TEST_F(Soften, RefusesAComparisonWithoutASmallestStep) {
  EXPECT_THAT(refusal(bound_call("<", {column("free"), literal("3")})), HasSubstr("no smallest step"));
  EXPECT_THAT(refusal(bound_call("<", {column("r"), column("free")})), HasSubstr("no smallest step"));
  EXPECT_THAT(refusal(bound_call("<", {bound_call("*", {column("r"), literal("2")}), literal("1")})),
              HasSubstr("no smallest step"));
}

TEST_F(Soften, RefusesASoftColumnThatIsComparedWithSomethingElseThanAConstant) {
  EXPECT_THAT(refusal(bound_call("<", {column("s"), column("free")})), HasSubstr("no smallest step"));
  EXPECT_THAT(refusal(bound_call("<", {bound_call("*", {column("s"), literal("2")}), literal("1")})),
              HasSubstr("no smallest step"));
  EXPECT_THAT(refusal(bound_call("is distinct from", {column("s"), literal("1")})), HasSubstr("no smallest step"));
}

// CASE WHEN x < 5 THEN 0 END = 0 is x < 5: the side's own slope says nothing of its being NULL.
TEST_F(Soften, RefusesASideThatIsNullDependingOnPrivateCells) {
  const ExprPtr side = bound_call("case", {bound_call("<", {column("x"), literal("5")}), literal("0")});
  EXPECT_NE(refusal(bound_call("=", {side, literal("0")})), "accepted");
  EXPECT_NE(refusal(bound_call("is not distinct from", {side, literal("0")})), "accepted");
}

TEST_F(Soften, ARampInsideAnExpressionIsRefused) {
  const auto slopes = exact_slopes(bound_call("<", {column("r"), literal("3")}), cells_.table.differentiator());
  ASSERT_FALSE(slopes.has_value());
  EXPECT_THAT(slopes.error().what, HasSubstr("would need a ramp"));
  EXPECT_TRUE(exact_slopes(bound_call("<", {column("x"), literal("3")}), cells_.table.differentiator()));
}

}  // namespace
}  // namespace tacit::testing
