#include "sensitivity/metric/derivative/bound.hpp"

#include <functional>

#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct BoundTree : DerivativeFixture {
  const ExprPtr i = whole("i", {0.0, 100.0});
  const ExprPtr j = whole("j", {0.0, 5.0});
  const ExprPtr k = open("k", {0.0, 3.0});

  BoundPtr magnitude(const ExprPtr& of, double slope = 1.0, double cap = infinity) const {
    return leaf_bound({MagnitudeShape{}, of, {{key_of(of), slope}}, cap, nullptr});
  }

  // A tree, and the same computed without folding.
  struct Pair {
    BoundPtr bound;
    std::function<double(const Point&)> plain;
  };
  Pair leaf() {
    switch (std::uniform_int_distribution<int>(0, 5)(random)) {
      case 0: return {constant_bound(0.0), [](const Point&) { return 0.0; }};
      case 1: return {constant_bound(1.0), [](const Point&) { return 1.0; }};
      case 2: return {constant_bound(2.5), [](const Point&) { return 2.5; }};
      case 3: return of_leaf(public_bound(k));
      case 4: return of_leaf(smooth(magnitude(i)));
      default: return of_leaf(smooth(magnitude(j, 1.0, 20.0)));
    }
  }
  static Pair of_leaf(const BoundPtr& bound) {
    return {bound, [bound](const Point& point) { return at(*bound, point); }};
  }
  Pair tree(int depth) {
    if (depth == 0) return leaf();
    const int kind = std::uniform_int_distribution<int>(0, 3)(random);
    std::vector<Pair> parts;
    std::vector<BoundPtr> bounds;
    for (int n = std::uniform_int_distribution<int>(1, 3)(random); n > 0; --n) {
      parts.push_back(tree(depth - 1));
      bounds.push_back(parts.back().bound);
    }
    const BoundPtr bound = kind == 0   ? sum_of(bounds)
                           : kind == 1 ? product_of(bounds)
                           : kind == 2 ? max_of(bounds)
                                       : root_of(2.0, bounds);
    return {bound, [parts, kind](const Point& point) {
              double result = kind == 1 ? 1.0 : 0.0;
              for (const auto& part : parts) {
                const double x = part.plain(point);
                result = kind == 0   ? result + x
                         : kind == 1 ? result * x
                         : kind == 2 ? std::max(result, x)
                                     : std::hypot(result, x);
              }
              return result;
            }};
  }
};

TEST_F(BoundTree, FoldingChangesNoValueAndSupremaHold) {
  for (int n = 0; n < 400; ++n) {
    const Pair pair = tree(3);
    for (int m = 0; m < 10; ++m) {
      const Point point = random_point();
      const double expected = pair.plain(point);
      ASSERT_NEAR(at(*pair.bound, point), expected, 1e-12 * expected) << to_string(*pair.bound);
      ASSERT_LE(expected, pair.bound->supremum * (1.0 + 1e-12)) << to_string(*pair.bound);
      ASSERT_GE(expected * (1.0 + 1e-12), infimum_of(*pair.bound)) << to_string(*pair.bound);
    }
  }
}

TEST_F(BoundTree, ConstantsFold) {
  EXPECT_EQ(constant_of(*sum_of({constant_bound(1.0), constant_bound(2.0)})), 3.0);
  EXPECT_EQ(constant_of(*product_of({constant_bound(3.0), constant_bound(2.0)})), 6.0);
  EXPECT_EQ(constant_of(*max_of({constant_bound(3.0), constant_bound(2.0)})), 3.0);
  EXPECT_EQ(constant_of(*root_of(2.0, {constant_bound(3.0), constant_bound(4.0)})), 5.0);
  EXPECT_TRUE(is_zero(*sum_of({})));
  EXPECT_EQ(constant_of(*product_of({})), 1.0);
  EXPECT_TRUE(is_zero(*max_of({})));
  EXPECT_TRUE(is_zero(*root_of(3.0, {})));
  EXPECT_TRUE(is_zero(*product_of({magnitude(i), constant_bound(0.0)})));
}

TEST_F(BoundTree, AMaximumDropsWhatNeverWins) {
  const BoundPtr small = magnitude(j, 1.0, 20.0);
  EXPECT_EQ(constant_of(*max_of({small, constant_bound(20.0)})), 20.0);
  EXPECT_FALSE(is_constant(*max_of({small, constant_bound(19.0)})));
  EXPECT_TRUE(same_bound(*max_of({small, magnitude(j, 1.0, 20.0)}), *small));
  // Leaves of different slope, cap or shape are different.
  EXPECT_FALSE(same_bound(*magnitude(j), *magnitude(j, 2.0)));
  EXPECT_FALSE(same_bound(*magnitude(j), *magnitude(j, 1.0, 5.0)));
  EXPECT_FALSE(same_bound(*magnitude(j), *magnitude(i)));
  EXPECT_FALSE(same_bound(*magnitude(j), *leaf_bound({PowerShape{2.0}, j, {{key_of(j), 1.0}}, infinity, nullptr})));
  EXPECT_FALSE(same_bound(*smooth(magnitude(j)), *smooth(magnitude(j))));
}

// 0 noise for a function that moves would be no noise at all.
TEST_F(BoundTree, NothingVanishesByUnderflow) {
  EXPECT_GT(constant_of(*product_of({constant_bound(1e-200), constant_bound(1e-200)})), 0.0);
  EXPECT_GE(constant_of(*product_of({constant_bound(1e-200), constant_bound(1e-200), constant_bound(1e300)})), 1e-100);
  EXPECT_GE(constant_of(*product_of({constant_bound(3e-162), constant_bound(3e-162)})), 9e-324);
  EXPECT_NEAR(constant_of(*root_of(2.0, {constant_bound(3e-200), constant_bound(4e-200)})), 5e-200, 1e-214);
  EXPECT_NEAR(constant_of(*root_of(2.0, {constant_bound(3e200), constant_bound(4e200)})), 5e200, 1e186);
}

TEST_F(BoundTree, WhatNoDoubleHoldsIsInfinite) {
  const BoundPtr huge = product_of({constant_bound(1e200), constant_bound(1e200)});
  EXPECT_TRUE(std::isinf(constant_of(*huge)));
  EXPECT_TRUE(is_zero(*product_of({huge, constant_bound(0.0)})));
  EXPECT_TRUE(std::isinf(sum_of({huge, magnitude(j, 1.0, 20.0)})->supremum));
  EXPECT_TRUE(std::isinf(constant_of(*max_of({huge, constant_bound(1.0)}))));
}

TEST_F(BoundTree, PublicLiteralsAreConstants) {
  EXPECT_EQ(constant_of(*public_bound(number("-12.5"))), 12.5);
  EXPECT_EQ(constant_of(*public_bound(real_number(-0.25))), 0.25);
  EXPECT_TRUE(is_zero(*public_bound(make_literal(Null{}, SqlType::integer(32), 0))));
  EXPECT_TRUE(std::isinf(public_bound(k)->supremum));
}

TEST_F(BoundTree, FlatDecaysAreZero) {
  EXPECT_TRUE(is_zero(*leaf_bound({DecayShape{{}}, i, {{key_of(i), 1.0}}, 7.0, nullptr})));
  EXPECT_TRUE(is_zero(*leaf_bound({DecayShape{{{0.0, 1.0, 0.0}}}, i, {{key_of(i), 1.0}}, 7.0, nullptr})));
  EXPECT_EQ(leaf_bound({DecayShape{{{0.0, 1.0, 3.0}, {5.0, 6.0, 4.0}}}, i, {{key_of(i), 1.0}}, 7.0, nullptr})->supremum,
            4.0);
}

TEST_F(BoundTree, LeavesAreFoundAndReplacedEverywhere) {
  const BoundPtr tree = sum_of({product_of({magnitude(i), magnitude(j)}), max_of({magnitude(j), public_bound(k)}),
                                root_of(2.0, {magnitude(i), constant_bound(1.0)}), row_sum_bound(magnitude(i))});
  EXPECT_EQ(leaves_of(*tree).size(), 5U);
  const BoundPtr constants = map_leaves(tree, [](const BoundPtr& part) -> BoundPtr {
    return std::holds_alternative<LeafBound>(part->node) ? constant_bound(2.0) : nullptr;
  });
  EXPECT_TRUE(leaves_of(*constants).empty());
}

TEST_F(BoundTree, MultiplesOfOnePartAreOnePart) {
  const BoundPtr a = magnitude(i);
  const BoundPtr b = magnitude(j);
  EXPECT_EQ(to_string(*sum_of({a, scaled(2.0, a)})), to_string(*scaled(3.0, a)));
  EXPECT_EQ(to_string(*max_of({a, scaled(2.0, a), scaled(0.5, a)})), to_string(*scaled(2.0, a)));
  EXPECT_EQ(to_string(*sum_of({product_of({a, b}), product_of({b, a})})), to_string(*scaled(2.0, product_of({a, b}))));
  EXPECT_EQ(leaves_of(*sum_of({product_of({a, b}), b, product_of({b, a})})).size(), 3U);
}

TEST_F(BoundTree, AMaximumOfVeryManyChoicesIsItsSupremum) {
  std::vector<BoundPtr> bounded;
  std::vector<BoundPtr> open_choices;
  for (int n = 1; n <= 1000; ++n) {
    const ExprPtr shifted = call("+", {i, number(std::to_string(n))});
    bounded.push_back(leaf_bound({MagnitudeShape{}, shifted, {{key_of(i), 1.0}}, 100.0 + n, nullptr}));
    open_choices.push_back(leaf_bound({MagnitudeShape{}, shifted, {{key_of(i), 1.0}}, infinity, nullptr}));
  }
  const BoundPtr most = max_of(bounded);
  ASSERT_TRUE(is_constant(*most));
  EXPECT_EQ(constant_of(*most), 1100.0);
  EXPECT_EQ(leaves_of(*max_of(open_choices)).size(), 1000U);
}

}  // namespace
}  // namespace tacit
