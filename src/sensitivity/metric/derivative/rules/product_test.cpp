#include "sensitivity/metric/derivative/derivative_fixture.hpp"
#include "sensitivity/metric/derivative/norm_dual.hpp"
#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {
namespace {

struct ProductRule : DerivativeFixture {
  const ExprPtr x = real("x", "-100", "40", {1.0});
  const ExprPtr y = real("y", "-3", "1000", {-1.0, 1.0});
};

TEST_F(ProductRule, BoundsProductsOfDoubles) {
  expect_sound(call("*", {x, y}));
  expect_sound(call("*", {x, x}));
  expect_sound(call("*", {call("-", {x, y}), call("+", {x, y})}));
  expect_sound(call("*", {call("*", {x, y}), call("*", {x, real_number(-0.25)})}));
}

TEST_F(ProductRule, BoundsProductsWithoutDeclaredBounds) {
  const ExprPtr i = whole("i", {0.0, 5e4, -5e4});
  const ExprPtr j = whole("j", {0.0, 7.0});
  expect_sound(call("*", {i, j}));
  expect_sound(call("*", {i, call("-", {j, number("3")})}));
}

TEST_F(ProductRule, BoundsProductsWithPublicNumbers) {
  const ExprPtr k = open("k", {0.0, -4.0, 12.0});
  expect_sound(call("*", {k, x}));
  expect_sound(call("*", {call("*", {k, x}), y}));
}

TEST_F(ProductRule, BoundsProductsOfDiscreteAndMeasuredColumns) {
  const ExprPtr rate = cell("rate", SqlType::decimal(15, 2), Use::discrete, "0.01", "0.09", {0.01, 0.09, 0.05});
  const ExprPtr size = cell("size", SqlType::real(), Use::logarithm, "0.5", "200", {0.5, 200.0, 1.0}, 100.0);
  expect_sound(call("*", {rate, x}));
  expect_sound(call("*", {size, size}));
  expect_sound(call("*", {call("*", {rate, size}), y}));
  // NULL is a value of a discrete column, and it takes the whole sum with it.
  expect_sound(call("*", {x, call("-", {number("1"), rate})}));
}

// docs/theory/calculus.md, "Rules": under l1 a product of functions of different cells is as steep as the steeper one;
// Fig. 1 of Laud et al. 2020 has the sum.
TEST_F(ProductRule, OfDifferentCellsUnderL1IsTheSteeperOfBoth) {
  const ExprPtr a = whole("a");
  const ExprPtr b = whole("b");
  const RowFunction f = derived(call("*", {a, b}));
  ASSERT_EQ(f.pieces.size(), 1U);
  const Point here{{key_of(a), 3000.0L}, {key_of(b), -4000.0L}};
  const auto norm = [&](const char* metric) {
    return at(*smooth(dual_of_gradient(**parse_metric(metric), f.pieces[0], roles[0].scan->columns)), here);
  };
  EXPECT_NEAR(norm("l1(a, b)"), 4000.0, 1e-6);
  EXPECT_NEAR(norm("linf(a, b)"), 7000.0, 1e-6);
  EXPECT_NEAR(norm("l2(a, b)"), 5000.0, 1e-6);
}

// Ramps of one variable multiply to a 2-Lipschitz function, and this is what is said of it.
TEST_F(ProductRule, OfTwoRampsOfOneCellIsTwiceAsSteep) {
  const ExprPtr rising = *clamp_between(x, number("0"), number("1"), 1);
  const ExprPtr both = call("*", {rising, rising});
  expect_sound(both);
  EXPECT_NEAR(joint_gradient(derived(both).pieces).at(key_of(x))->supremum, 2.0, 1e-9);
}

TEST_F(ProductRule, WithZeroIsZero) {
  const RowFunction f = derived(call("*", {call("*", {number("0"), whole("i")}), whole("j")}));
  for (const auto& [column, bound] : joint_gradient(f.pieces)) EXPECT_TRUE(is_zero(*bound)) << column->name;
  expect_sound(call("*", {call("*", {number("0"), x}), y}), 100);
}

// The slope of x^n is n |x|^(n-1): one product, not a tree that grows with every factor. So for least(x, y)^n, whose
// factors have two pieces each, and for factors that differ.
TEST_F(ProductRule, OfManyFactorsIsSmall) {
  const auto power = [&](const ExprPtr& base, std::size_t n) {
    ExprPtr product = base;
    for (std::size_t k = 1; k < n; ++k) product = call("*", {product, base});
    return product;
  };
  const auto leaves = [&](const ExprPtr& product) {
    std::size_t most = 0;
    for (const auto& [column, bound] : joint_gradient(derived(product).pieces)) {
      most = std::max(most, leaves_of(*bound).size());
    }
    return most;
  };
  expect_sound(power(call("least", {x, y}), 4));
  EXPECT_EQ(leaves(power(x, 4)), 3U);
  EXPECT_EQ(leaves(power(call("least", {x, y}), 4)), 3U);
  ExprPtr different = call("least", {x, y});
  for (int k = 1; k < 5; ++k) {
    different = call("*", {different, call("least", {x, call("+", {y, number(std::to_string(k))})})});
  }
  EXPECT_LT(leaves(different), 200U);
}

// Constants that vanish as doubles must not make a slope vanish: 1e-200 * 1e-200 * 1e300 is not 0.
TEST_F(ProductRule, OfTinyConstantsIsNeverFlat) {
  ExprPtr small = call("power", {real("big", "0", "10000000000"), number("8")});
  small = call("*", {call("*", {small, real_number(1e-200)}), call("*", {y, real_number(1e-200)})});
  const RowFunction f = derived(call("*", {small, real_number(1e300)}));
  EXPECT_GT(joint_gradient(f.pieces).at(key_of(y))->supremum, 1e-20);
}

}  // namespace
}  // namespace tacit
