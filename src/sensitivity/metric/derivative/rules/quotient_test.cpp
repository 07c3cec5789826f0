#include "sensitivity/metric/derivative/derivative_fixture.hpp"
#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {
namespace {

struct QuotientRule : DerivativeFixture {
  const ExprPtr x = real("x", "-100", "40");
  const ExprPtr y = real("y", "0.5", "1000", {0.5, 0.6, 2.0});
};

TEST_F(QuotientRule, BoundsPrivateDenominatorsAwayFromZero) {
  expect_sound(call("/", {x, y}));
  expect_sound(call("/", {real_number(1.0), y}));
  expect_sound(call("/", {y, call("-", {x, number("50")})}));
  expect_sound(call("/", {call("*", {x, y}), call("+", {y, call("abs", {x})})}));
  expect_sound(call("/", {x, call("greatest", {x, real_number(0.25)})}));
}

TEST_F(QuotientRule, BoundsPublicDenominators) {
  const ExprPtr k = open("k", {0.0, 1.0, -3.0, 1000.0});
  expect_sound(call("/", {x, k}));
  expect_sound(call("/", {call("*", {x, y}), call("abs", {k})}));
}

TEST_F(QuotientRule, RefusesDenominatorsNearZero) {
  const std::string zero = "nothing keeps the denominator away from zero, or the quotient below 1e100";
  EXPECT_EQ(refused(call("/", {y, x})), zero);
  EXPECT_EQ(refused(call("/", {real_number(1.0), call("-", {y, number("1")})})), zero);
  const ExprPtr i = whole("i");
  EXPECT_EQ(refused(call("/", {x, i})), "the denominator is private and no stated bound keeps it away from zero");
}

// Where |a / b| exceeds 1e100 SQL says NULL, and 1 / b too: with b = 1e-200 the bound |a| |1 / b| would be 0.
TEST_F(QuotientRule, RefusesPublicDoublesThatMayBeTiny) {
  const ExprPtr ratio = cell("ratio", SqlType::real(), Use::plain, {}, {}, {1.0}, 1.0, false);
  EXPECT_NE(refused(call("/", {x, ratio})), "accepted");
  const ExprPtr declared = cell("declared", SqlType::real(), Use::plain, "0.1", "5", {0.1, 5.0}, 1.0, false);
  expect_sound(call("/", {x, declared}));
}

TEST_F(QuotientRule, RefusesQuotientsThatMayBeTooLarge) {
  EXPECT_NE(refused(call("/", {x, call("greatest", {x, real_number(1e-200)})})), "accepted");
  EXPECT_NE(refused(call("/", {real_number(1.0), call("greatest", {x, real_number(1e-120)})})), "accepted");
  EXPECT_NE(refused(call("/", {call("*", {x, real_number(1e60)}), call("greatest", {x, real_number(1e-45)})})),
            "accepted");
}

TEST_F(QuotientRule, RefusesDivisionsThatRound) {
  const ExprPtr i = whole("i");
  const ExprPtr p = cell("p", SqlType::decimal(15, 2), Use::plain, "1", "100000", {1.0});
  EXPECT_NE(refused(call("/", {i, number("2")})).find("jumps when a value moves a little"), std::string::npos);
  EXPECT_NE(refused(call("/", {p, number("3")})).find("jumps when a value moves a little"), std::string::npos);
  EXPECT_NE(refused(call("/", {number("3"), p})).find("jumps when a value moves a little"), std::string::npos);
}

TEST_F(QuotientRule, BoundsDiscreteDenominators) {
  const ExprPtr parts = cell("parts", SqlType::integer(32), Use::discrete, "2", "9", {2.0, 9.0, 5.0});
  expect_sound(call("/", {x, call("*", {parts, real_number(1.0)})}));
}

}  // namespace
}  // namespace tacit
