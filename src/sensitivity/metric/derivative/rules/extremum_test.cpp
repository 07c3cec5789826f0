#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

struct ExtremumRule : DerivativeFixture {
  const ExprPtr x = real("x", "-100", "40", {3.0, -3.0});
  const ExprPtr y = real("y", "-50", "1000", {3.0});
};

TEST_F(ExtremumRule, BoundsTheLeastAndTheGreatest) {
  expect_sound(call("least", {x, y}));
  expect_sound(call("greatest", {x, y, call("*", {x, y})}));
  expect_sound(call("least", {x, number("3")}));
  expect_sound(call("greatest", {call("power", {x, number("2")}), call("*", {y, real_number(4.0)})}));
  expect_sound(call("*", {call("least", {x, y}), call("greatest", {x, y})}));
}

TEST_F(ExtremumRule, BoundsIntegersBesidePublicOnes) {
  const ExprPtr i = whole("i");
  const ExprPtr k = open("k", {0.0, 5.0});
  expect_sound(call("least", {i, k}));
  expect_sound(call("greatest", {call("negate", {i}), k, number("2")}));
}

// The least of the value bounds would be 1 for LEAST(-5, x) with |x| <= 1: its value is -5.
TEST_F(ExtremumRule, TheLeastOfNegativeNumbersMayBeTheLargest) {
  const ExprPtr small = real("small", "-1", "1");
  const ExprPtr f = call("least", {call("*", {small, real_number(-5.0)}), small});
  expect_sound(f);
  EXPECT_GE(derived(call("least", {real_number(-5.0), small})).value->supremum, 5.0);
  expect_sound(call("least", {real_number(-5.0), small}));
}

TEST_F(ExtremumRule, APieceForEachArgument) {
  EXPECT_EQ(derived(call("least", {x, y})).pieces.size(), 2U);
  EXPECT_EQ(derived(call("least", {x, number("3")})).pieces.size(), 1U);
}

// LEAST leaves a NULL out: LEAST(kind, 100) would jump from 5 to 100.
TEST_F(ExtremumRule, RefusesArgumentsThatPrivateCellsMakeNull) {
  const ExprPtr kind = cell("kind", SqlType::integer(32), Use::discrete, "0", "10", {0.0, 10.0});
  const std::string null = "private cells decide whether a part of this is NULL";
  EXPECT_EQ(refused(call("least", {kind, number("100")})).find(null), 0U);
  const ExprPtr i = whole("i");
  const ExprPtr sometimes = call("case", {call("<", {i, number("3")}), i});
  EXPECT_EQ(refused(call("greatest", {sometimes, x})).find(null), 0U);
}

}  // namespace
}  // namespace tacit
