#include "sensitivity/metric/derivative/derivative_fixture.hpp"
#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {
namespace {

struct LinearRules : DerivativeFixture {
  const ExprPtr x = real("x", "-100", "40", {1.5, 7.0});
  const ExprPtr y = real("y", "0.5", "1000");
};

TEST_F(LinearRules, BoundSumsAndDifferencesOfDoubles) {
  expect_sound(call("+", {x, y}));
  expect_sound(call("-", {x, y}));
  expect_sound(call("-", {call("+", {x, x}), call("-", {y, x})}));
  expect_sound(call("+", {call("*", {x, x}), call("*", {x, y})}));
}

TEST_F(LinearRules, BoundIntegersWithoutDeclaredBounds) {
  const ExprPtr i = whole("i", {0.0, 1e6, -2147483648.0, 2147483647.0});
  const ExprPtr j = whole("j");
  expect_sound(call("+", {i, call("negate", {j})}));
  expect_sound(call("-", {i, number("1000000")}));
}

TEST_F(LinearRules, BoundDecimalsBesidePublicNumbers) {
  const ExprPtr p = cell("p", SqlType::decimal(15, 2), Use::plain, "0", "100000", {0.0, 100000.0, 0.01});
  const ExprPtr k = open("k", {0.0, 3.0});
  expect_sound(call("-", {p, k}));
  expect_sound(call("+", {call("*", {k, p}), number("0.5")}));
}

// The sum rule without magnitudes would give c1 f1' + c2 f2' = 1 - 1 = 0 for x - (-x) = 2x.
TEST_F(LinearRules, ADifferenceAddsTheSlopesOfItsParts) {
  const RowFunction f = derived(call("-", {x, call("negate", {x})}));
  EXPECT_EQ(constant_of(*joint_gradient(f.pieces).at(key_of(x))), 2.0);
  const auto weighted = added_pieces({derived(call("negate", {x})), derived(call("abs", {x}))}, {1.0, -1.0});
  EXPECT_EQ(constant_of(*weighted.joint.at(key_of(x))), 2.0);
}

TEST_F(LinearRules, SignsMagnitudesAndClampsAreNeverSteeper) {
  expect_sound(call("negate", {call("*", {x, y})}));
  expect_sound(call("abs", {call("-", {x, number("3")})}));
  expect_sound(*clamp_between(call("-", {x, y}), number("5"), number("10"), 1));
  expect_sound(*clamp_between(call("*", {x, y}), number("-1000"), number("-10"), 1));
  // Lifted from at most 1 to 5.
  const ExprPtr a = real("a", "-1", "1");
  const ExprPtr b = real("b", "-1", "1");
  expect_sound(call("*", {x, *clamp_between(call("*", {a, b}), number("5"), number("10"), 1)}));
}

TEST_F(LinearRules, BoundDaysBetweenDates) {
  const ExprPtr from =
      cell("d_from", SqlType::date(), Use::plain, "1992-01-01", "1998-12-31", {8035.0, 10591.0, 9000.0}, 2000.0);
  const ExprPtr to =
      cell("d_to", SqlType::date(), Use::plain, "1992-01-01", "1999-12-31", {8035.0, 10956.0, 9000.0}, 2000.0);
  expect_sound(call("-", {to, from}));
  expect_sound(call("-", {to, date("1995-06-17")}));
  expect_sound(call("*", {call("-", {to, date("1995-06-17")}), x}));
}

// Outside the calendar the difference would be NULL.
TEST_F(LinearRules, RefuseDatesWithoutDeclaredBounds) {
  const ExprPtr d0 = cell("d0", SqlType::date(), Use::plain, {}, {}, {0.0});
  EXPECT_NE(refused(call("-", {d0, date("1995-06-17")})).find("no declared bounds"), std::string::npos);
}

TEST_F(LinearRules, ManyPiecesAreJoined) {
  ExprPtr total = number("0");
  std::vector<ExprPtr> many;
  for (int i = 0; i < 6; ++i) {
    many.push_back(real("z" + std::to_string(i), "-5", "5"));
    total = call("+", {total, call("greatest", {many.back(), call("*", {x, real_number(0.5)})})});
  }
  const RowFunction f = derived(total);
  EXPECT_LE(f.pieces.size(), most_pieces);
  expect_sound(total, 500);
}

TEST_F(LinearRules, ASumOfPublicTermsHasNoPieces) {
  EXPECT_TRUE(added_pieces({RowFunction{constant_bound(1.0), {}, {}}}, {1.0}).pieces.empty());
}

}  // namespace
}  // namespace tacit
