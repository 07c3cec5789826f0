#include "sensitivity/metric/derivative/column_set.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sensitivity/metric/derivative/assign_rates.hpp"
#include "sensitivity/metric/derivative/private_row_testing.hpp"

namespace tacit::testing {
namespace {

Decimal exact(std::string_view text) { return *parse_decimal(text); }

class ColumnSets : public ::testing::Test {
 protected:
  std::optional<ColumnSet> fold(const ExprPtr& predicate) const {
    return fold_to_set(predicate, table_.differentiator());
  }
  ColumnSet folded(const ExprPtr& predicate) const {
    auto set = fold(predicate);
    EXPECT_TRUE(set.has_value());
    return set.value_or(ColumnSet{});
  }
  BoundPtr with_rates(const BoundPtr& bound, double beta) const {
    return assign_rates(bound, table_.roles(), table_.columns(), NormExponent{}, beta);
  }

  // A random condition on one column and constants.
  ExprPtr condition(const std::string& name, std::mt19937_64& random, int depth) const {
    static constexpr const char* comparisons[] = {"<", "<=", ">", ">=", "=", "<>"};
    const auto constant = [&] {
      const Decimal value{static_cast<long long>(random() % 161) - 80, 1};
      return literal(to_string(value));
    };
    switch (random() % (depth == 0 ? 3 : 6)) {
      case 0: return bound_call(comparisons[random() % 6], {table_.column(name), constant()});
      case 1: return bound_call(comparisons[random() % 6], {constant(), table_.column(name)});
      case 2: return bound_call("in", {table_.column(name), constant(), constant(), constant()});
      case 3: return bound_call("not", {condition(name, random, depth - 1)});
      default:
        return bound_call(random() % 2 == 0 ? "and" : "or",
                          {condition(name, random, depth - 1), condition(name, random, depth - 1)});
    }
  }

  const PrivateTable table_{"l1(i, 2 * d, r, wide, day, bound_i, ln(l), discrete(k))",
                            {{"i", SqlType::integer(32)},
                             {"d", SqlType::decimal(15, 1)},
                             {"r", SqlType::real(), exact("-9"), exact("9"), exact("0.5")},
                             {"wide", SqlType::integer(64)},
                             {"day", SqlType::date()},
                             {"bound_i", SqlType::integer(32), exact("0"), exact("100"), exact("5")},
                             {"l", SqlType::integer(32), exact("1"), exact("1000")},
                             {"k", SqlType::integer(32)}}};
};

TEST_F(ColumnSets, AConstantBetweenGridPointsIsMovedToTheGrid) {
  const auto set = folded(bound_call("<", {table_.column("i"), literal("6.4")}));
  EXPECT_EQ(set.set, GridSet::at_most(6));
  EXPECT_TRUE(set.is_exact);
  EXPECT_EQ(folded(bound_call(">", {literal("6.4"), table_.column("i")})).set, GridSet::at_most(6));
  EXPECT_TRUE(folded(bound_call("=", {table_.column("i"), literal("6.4")})).set.is_empty());
  EXPECT_TRUE(folded(bound_call("<>", {table_.column("i"), literal("6.4")})).set.is_all());
}

TEST_F(ColumnSets, TheSetIsThePredicateOnEveryGridPoint) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 600; ++i) {
    for (const std::string name : {"i", "d", "r"}) {
      const ExprPtr predicate = condition(name, random, 3);
      const ColumnSet set = folded(predicate);
      const Column* cell = table_.cell(name);
      for (int n = -200; n <= 200; n += 1 + static_cast<int>(random() % 7)) {
        const double x = to_double(*multiply(Decimal{n, 0}, set.step));
        bool inside = false;
        for (const auto& interval : set.set.intervals()) {
          inside = inside || ((!interval.lo || *interval.lo <= n) && (!interval.hi || n <= *interval.hi));
        }
        EXPECT_EQ(inside, sql_value(*predicate, {{cell, x}}) == 1.0);
      }
    }
  }
}

// r has a ramp: 1/step steep, in [0, 1], and the predicate on the grid.
TEST_F(ColumnSets, TheRampInterpolatesThePredicate) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> anywhere(-9.9, 9.9);
  const Column* cell = table_.cell("r");
  for (int i = 0; i < 200; ++i) {
    const ExprPtr predicate = condition("r", random, 3);
    const ColumnSet set = folded(predicate);
    EXPECT_FALSE(set.is_exact);
    const ExprPtr ramp = ramp_of(set).value();
    const ExprPtr core = core_condition(set).value();
    const ExprPtr support = support_condition(set).value();
    for (int n = -18; n <= 18; ++n) {
      EXPECT_EQ(sql_value(*ramp, {{cell, 0.5 * n}}), sql_value(*predicate, {{cell, 0.5 * n}}));
    }
    for (int k = 0; k < 50; ++k) {
      const double x = anywhere(random);
      const double y = x + 1e-3 * anywhere(random);
      const double at_x = sql_value(*ramp, {{cell, x}});
      EXPECT_GE(at_x, 0.0);
      EXPECT_LE(at_x, 1.0);
      EXPECT_LE(std::fabs(at_x - sql_value(*ramp, {{cell, y}})), 2.0 * std::fabs(x - y) + 1e-12);
      if (at_x > 0.0) {
        EXPECT_EQ(sql_value(*support, {{cell, x}}), 1.0);
      }
      if (sql_value(*core, {{cell, x}}) == 1.0) {
        EXPECT_EQ(at_x, 1.0);
      }
    }
  }
}

TEST_F(ColumnSets, SlopeAndSupportBoundTheRampEverywhere) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> anywhere(-14.0, 14.0);
  const Column* cell = table_.cell("r");
  for (int i = 0; i < 200; ++i) {
    const ColumnSet set = folded(condition("r", random, 3));
    const ExprPtr ramp = ramp_of(set).value();
    const BoundPtr slope = with_rates(slope_bound(set), 0.3);
    const BoundPtr support = with_rates(support_bound(set), 0.3);
    for (int k = 0; k < 60; ++k) {
      // Around the ends of the change intervals, and beyond the declared bounds.
      const double x = k % 2 == 0 ? anywhere(random) : 0.5 * std::round(2.0 * anywhere(random));
      const double h = 1e-6;
      const double at_x = sql_value(*ramp, {{cell, x}});
      const double steep = std::max(std::fabs(sql_value(*ramp, {{cell, x + h}}) - at_x),
                                    std::fabs(sql_value(*ramp, {{cell, x - h}}) - at_x)) /
                           h;
      EXPECT_GE(bound_at(*slope, {{cell, x}}) * (1.0 + 1e-6), steep) << x;
      EXPECT_GE(bound_at(*support, {{cell, x}}), at_x) << x;
    }
  }
}

// Eight sechs would overlap and add up to more than 1.
TEST_F(ColumnSets, EightNeighboursOfOneColumnStayWithinZeroAndOne) {
  std::vector<ExprPtr> list{table_.column("r")};
  for (const char* point : {"1", "1.5", "2", "2.5", "3.5", "4", "5", "6"}) list.push_back(literal(point));
  const ColumnSet set = folded(bound_call("in", std::move(list)));
  EXPECT_EQ(set.set.intervals().size(), 4);
  const ExprPtr ramp = ramp_of(set).value();
  for (double x = -1.0; x <= 8.0; x += 0.01) {
    const double value = sql_value(*ramp, {{table_.cell("r"), x}});
    EXPECT_GE(value, 0.0);
    EXPECT_LE(value, 1.0);
  }
  EXPECT_NEAR(sql_value(*ramp, {{table_.cell("r"), 1.25}}), 1.0, 1e-12);
  EXPECT_NEAR(sql_value(*ramp, {{table_.cell("r"), 3.25}}), 0.5, 1e-12);
}

// The owner's bounds are a word, not a law: ramp and position both read what is stored.
TEST_F(ColumnSets, ARampBeyondTheDeclaredBoundsDoesNotJumpEither) {
  for (const char* name : {"bound_i", "r"}) {
    const ColumnSet set = folded(bound_call("<=", {table_.column(name), literal("120")}));
    EXPECT_FALSE(set.is_exact);
    const ExprPtr ramp = ramp_of(set).value();
    const BoundPtr slope = with_rates(slope_bound(set), 0.5);
    const Column* cell = table_.cell(name);
    for (double x = 110.0; x < 130.0; x += 0.05) {
      const double moved = std::fabs(sql_value(*ramp, {{cell, x + 0.05}}) - sql_value(*ramp, {{cell, x}}));
      EXPECT_LE(moved, 0.05 * std::max(bound_at(*slope, {{cell, x}}), bound_at(*slope, {{cell, x + 0.05}})) + 1e-9);
    }
  }
}

TEST_F(ColumnSets, ANumberThatADoubleDoesNotHoldIsNotComparedAsOne) {
  const ExprPtr as_double = bind_cast(literal("9007199254740992"), SqlType::real(), 1).value();
  EXPECT_FALSE(fold(bound_call("<=", {table_.column("wide"), as_double})));
  EXPECT_TRUE(fold(bound_call("<=", {table_.column("i"), as_double})));
}

TEST_F(ColumnSets, DatesHavePositionsInDays) {
  const ExprPtr day = bind_cast(string_literal("1970-02-01", 1), SqlType::date(), 1).value();
  const ColumnSet set = folded(bound_call("<", {table_.column("day"), day}));
  EXPECT_EQ(set.set, GridSet::at_most(30));
  const BoundPtr slope = with_rates(slope_bound(set), 0.5);
  EXPECT_NEAR(bound_at(*slope, {{table_.cell("day"), 30.5}}), 1.0, 1e-9);
  EXPECT_NEAR(bound_at(*slope, {{table_.cell("day"), 41.0}}), std::exp(-5.0), 1e-9);
}

TEST_F(ColumnSets, ALogarithmIsSteeperByItsValue) {
  const ColumnSet set = folded(bound_call("<=", {table_.column("l"), literal("20")}));
  const BoundPtr slope = slope_bound(set);
  ASSERT_TRUE(is_constant(*slope));
  EXPECT_NEAR(constant_of(*slope), 21.0, 1e-9);  // x = 21 at the far end of the change
  EXPECT_EQ(constant_of(*support_bound(set)), 1.0);
}

TEST_F(ColumnSets, WhatIsNoSetOfOneColumnIsNotFolded) {
  EXPECT_FALSE(fold(bound_call("<", {table_.column("i"), table_.column("d")})));
  EXPECT_FALSE(fold(bound_call("=", {table_.column("k"), literal("3")})));  // discrete: categories have no order
  EXPECT_FALSE(fold(bound_call("in", {table_.column("i"), literal("3"), null_literal(1)})));
  EXPECT_FALSE(fold(bound_call("or", {bound_call("<", {table_.column("i"), literal("3")}),
                                      bound_call("<", {table_.column("d"), literal("3")})})));
  EXPECT_FALSE(fold(bound_call("<", {bound_call("+", {table_.column("i"), literal("1")}), literal("3")})));
}

// Doubles lie 1 apart there, and r has a step of 0.5: two points of the grid are the same double.
TEST_F(ColumnSets, NoRampWhereDoublesHaveNoSuchStep) {
  EXPECT_TRUE(fold(bound_call(">=", {table_.column("r"), literal("400000")})).has_value());
  EXPECT_FALSE(fold(bound_call(">=", {table_.column("r"), literal("6000000000000000.5")})).has_value());
}

}  // namespace
}  // namespace tacit::testing
