#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

struct ExponentialRule : DerivativeFixture {
  const ExprPtr x = real("x", "-30", "5", {-1.0, 5.0, 4.9});
  const ExprPtr i = whole("i");
};

TEST_F(ExponentialRule, BoundsExponentials) {
  expect_sound(call("exp", {x}));
  expect_sound(call("exp", {call("least", {i, number("3")})}));
  expect_sound(call("exp", {call("negate", {call("abs", {x})})}));
  expect_sound(call("*", {call("exp", {x}), call("-", {x, number("2")})}));
  expect_sound(call("exp", {call("negate", {call("power", {x, number("2")})})}));
}

TEST_F(ExponentialRule, BoundsOtherCoordinates) {
  const ExprPtr size = cell("size", SqlType::real(), Use::logarithm, "0.5", "4", {0.5, 4.0, 1.0}, 3.0);
  const ExprPtr kind = cell("kind", SqlType::decimal(5, 2), Use::discrete, "0", "0.1", {0.0, 0.1});
  expect_sound(call("exp", {size}));
  // From 0 to NULL is a step of 1, not of e^0.1 * 0.1.
  expect_sound(call("exp", {kind}));
}

TEST_F(ExponentialRule, RefusesNumbersWithoutAnUpperEnd) {
  EXPECT_NE(refused(call("exp", {i})), "accepted");
  EXPECT_NE(refused(call("exp", {call("greatest", {i, number("3")})})), "accepted");
}

// SQL says NULL above 690, and e^700 is still a double.
TEST_F(ExponentialRule, RefusesWhatSqlMakesNull) {
  EXPECT_NE(refused(call("exp", {call("least", {i, number("700")})})), "accepted");
}

TEST_F(ExponentialRule, RefusesWhatIsTooSteep) {
  EXPECT_NE(refused(call("exp", {call("least", {i, number("600")})})), "accepted");
  const ExprPtr steep = call("*", {x, real_number(1e60)});
  EXPECT_NE(refused(call("exp", {call("least", {steep, real_number(200.0)})})), "accepted");
}

}  // namespace
}  // namespace tacit
