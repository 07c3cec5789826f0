#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

struct LogarithmRule : DerivativeFixture {
  const ExprPtr x = real("x", "0.125", "4000", {0.125, 0.13, 1.0, 2.0});
  const ExprPtr i = whole("i", {0.0, 1.0, 5.0, 1000.0});
};

TEST_F(LogarithmRule, BoundsLogarithms) {
  expect_sound(call("ln", {x}));
  expect_sound(call("ln", {call("greatest", {i, number("1")})}));
  expect_sound(call("ln", {call("greatest", {i, number("100")})}));
  expect_sound(call("*", {x, call("ln", {x})}));
  expect_sound(call("ln", {call("+", {call("*", {x, x}), number("3")})}));
}

TEST_F(LogarithmRule, BoundsLogarithmsWithoutAnUpperEnd) {
  const ExprPtr j = whole("j");
  expect_sound(call("ln", {call("greatest", {call("*", {i, j}), number("2")})}));
}

TEST_F(LogarithmRule, BoundsOtherCoordinates) {
  const ExprPtr size = cell("size", SqlType::real(), Use::logarithm, "0.5", "20", {0.5, 20.0, 1.0}, 10.0);
  const ExprPtr kind = cell("kind", SqlType::integer(32), Use::discrete, "1000", "1001", {1000.0, 1001.0});
  expect_sound(call("ln", {size}));
  // From 1000 to NULL is a step of ln 1000, not of 1001 / 1000.
  expect_sound(call("ln", {kind}));
}

TEST_F(LogarithmRule, RefusesNumbersThatMayReachZero) {
  const ExprPtr y = real("y", "0", "10");
  EXPECT_NE(refused(call("ln", {y})), "accepted");
  EXPECT_NE(refused(call("ln", {i})), "accepted");
  EXPECT_NE(refused(call("ln", {call("-", {x, number("1")})})), "accepted");
}

TEST_F(LogarithmRule, RefusesAnArgumentThatIsTooNearToZero) {
  const ExprPtr y = real("y", "0", "10");
  EXPECT_NE(refused(call("ln", {call("greatest", {y, real_number(1e-310)})})), "accepted");
}

}  // namespace
}  // namespace tacit
