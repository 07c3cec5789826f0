#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

struct PowerRule : DerivativeFixture {
  const ExprPtr x = real("x", "-20", "40", {1.0, -1.0});
  const ExprPtr y = real("y", "0.25", "300", {0.25, 0.3, 1.0});
  const ExprPtr i = whole("i", {0.0, -1000.0, 1000.0});
};

TEST_F(PowerRule, BoundsWholePowers) {
  for (const char* r : {"0", "1", "2", "3", "7"}) expect_sound(call("power", {x, number(r)}), 1500);
  expect_sound(call("power", {i, number("2")}));
  expect_sound(call("power", {call("-", {x, y}), number("3")}));
}

TEST_F(PowerRule, BoundsRootsAndFractions) {
  expect_sound(call("sqrt", {y}));
  for (const char* r : {"0.5", "0.3", "1.5", "2.75", "1.0001"}) expect_sound(call("power", {y, number(r)}), 1500);
  expect_sound(call("power", {call("greatest", {i, number("2")}), number("0.5")}));
}

TEST_F(PowerRule, BoundsNegativePowers) {
  for (const char* r : {"-1", "-2", "-0.5", "-3.25"}) expect_sound(call("power", {y, number(r)}), 1500);
}

// The table of docs/theory/calculus.md, "Leaves", is for all x: |x|, not x.
TEST_F(PowerRule, IsAsSteepForNegativeNumbers) {
  const RowFunction f = derived(call("power", {i, number("2")}));
  const BoundPtr slope = smooth(joint_gradient(f.pieces).at(key_of(i)));
  EXPECT_NEAR(at(*slope, {{key_of(i), -1000.0L}}), 2000.0, 1e-6);
  EXPECT_NEAR(at(*slope, {{key_of(i), 1000.0L}}), 2000.0, 1e-6);
}

TEST_F(PowerRule, BoundsPowersOfProductsByTheirCaps) {
  expect_sound(call("power", {call("*", {x, y}), number("2")}));
  expect_sound(call("power", {call("*", {x, call("power", {x, number("2")})}), number("3")}), 1000);
}

TEST_F(PowerRule, BoundsOtherCoordinates) {
  const ExprPtr size = cell("size", SqlType::real(), Use::logarithm, "0.5", "20", {0.5, 20.0, 1.0}, 10.0);
  const ExprPtr kind = cell("kind", SqlType::integer(32), Use::discrete, "4", "9", {4.0, 9.0});
  expect_sound(call("power", {size, number("3")}));
  expect_sound(call("sqrt", {size}));
  // From 4 to NULL is a step of 2, not of sqrt(9) - sqrt(4).
  expect_sound(call("sqrt", {kind}));
  expect_sound(call("power", {kind, number("0")}));
  expect_sound(call("power", {kind, number("2")}));
}

TEST_F(PowerRule, RefusesWhatHasNoSlope) {
  const std::string steep = "this power of a private number has no bounded slope";
  EXPECT_EQ(refused(call("sqrt", {x})), steep);
  EXPECT_EQ(refused(call("sqrt", {call("abs", {x})})), steep);
  EXPECT_EQ(refused(call("power", {x, number("-1")})), steep);
  EXPECT_EQ(refused(call("power", {x, number("1.5")})), steep);
  EXPECT_EQ(refused(call("power", {i, number("0.5")})), steep);
  EXPECT_EQ(refused(call("power", {y, number("65")})), steep);
}

// SQL says NULL where a power exceeds 1e100: a jump.
TEST_F(PowerRule, RefusesPowersThatMayOverflow) {
  const ExprPtr wide = cell("wide", SqlType::real(), Use::plain, "0", "100000", {1.0});
  EXPECT_NE(refused(call("power", {wide, number("30")})), "accepted");
  const ExprPtr tiny = cell("tiny", SqlType::real(), Use::plain, "1e-31", "1", {1.0});
  EXPECT_NE(refused(call("power", {tiny, number("-3")})), "accepted");
}

TEST_F(PowerRule, RefusesExponentsThatAreNotWritten) {
  EXPECT_EQ(refused(call("power", {y, y})), "the exponent of a private number must be written as a number");
  EXPECT_NE(refused(call("power", {number("2"), x})), "accepted");
  const ExprPtr fixed = cell("fixed", SqlType::integer(32), Use::discrete, "2", "2", {2.0});
  EXPECT_NE(refused(call("power", {y, fixed})), "accepted");
}

}  // namespace
}  // namespace tacit
