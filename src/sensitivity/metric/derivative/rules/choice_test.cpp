#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

struct ChoiceRules : DerivativeFixture {
  const ExprPtr i = whole("i", {0.0, 3.0, 5.0, -7.0});
  const ExprPtr j = whole("j", {0.0, 3.0, 5.0});
  const ExprPtr k = open("k", {0.0, 1.0, 2.0});
  const ExprPtr x = real("x", "-100", "40");
};

TEST_F(ChoiceRules, BoundPublicConditions) {
  expect_sound(call("case", {call("=", {k, number("1")}), call("*", {i, j}), i}));
  expect_sound(call("case", {call("=", {k, number("1")}), x, call("=", {k, number("2")}), call("*", {x, x})}));
  expect_sound(call("case", {call("<", {k, number("1")}), number("5"), x}));
}

TEST_F(ChoiceRules, BoundConditionsOnGrids) {
  expect_sound(call("case", {call("<", {i, number("3")}), number("1"), number("0")}));
  expect_sound(call("case", {call("<", {i, number("3")}), number("-7"), number("12")}));
  expect_sound(call("case", {call("<", {i, number("3")}), j, number("0")}));
  expect_sound(call("case", {call("<", {i, j}), i, call("negate", {j})}));
  expect_sound(call("case", {call("=", {i, number("3")}), call("*", {i, j}), call(">", {i, number("5")}), j, i}));
  expect_sound(call("case", {call("=", {k, number("1")}), i, call(">", {i, number("5")}), j, number("2")}));
}

// Both are 2^53 as doubles; the choice moves by 1.
TEST_F(ChoiceRules, LongNumbersThatDifferInTheirLastDigitAreDifferent) {
  const ExprPtr close =
      call("case", {call("<", {i, number("3")}), number("9007199254740993"), number("9007199254740992")});
  const BoundPtr slope = joint_gradient(derived(close).pieces).at(key_of(i));
  EXPECT_GE(slope->supremum, 1.0);
}

TEST_F(ChoiceRules, BoundBranchesThatAreLeftOut) {
  expect_sound(call("case", {call("<", {i, number("3")}), j}));
  expect_sound(call("*", {call("case", {call("<", {i, number("3")}), j}), x}));
  expect_sound(call("negate", {call("abs", {call("case", {call("<", {i, j}), number("4")})})}));
}

TEST_F(ChoiceRules, BoundPredicatesOfDiscreteColumns) {
  const ExprPtr kind = cell("kind", SqlType::integer(32), Use::discrete, "1", "9", {1.0, 2.0, 9.0});
  expect_sound(call("case", {call("=", {kind, number("2")}), x, number("1")}));
  expect_sound(call("case", {call("=", {kind, number("2")}), kind, i}));
}

// f = i where j = 1, else NULL and so nothing: x + f would lose x with it.
TEST_F(ChoiceRules, RefuseSumsWithWhatPrivateCellsMakeNull) {
  const std::string null = "private cells decide whether a part of this is NULL";
  const ExprPtr sometimes = call("case", {call("=", {j, number("1")}), number("0")});
  EXPECT_EQ(refused(call("+", {i, sometimes})).find(null), 0U);
  EXPECT_EQ(refused(call("-", {sometimes, i})).find(null), 0U);
  EXPECT_EQ(refused(call("exp", {sometimes})).find(null), 0U);
  EXPECT_EQ(refused(call("coalesce", {sometimes, number("100")})).find(null), 0U);
  EXPECT_EQ(refused(*clamp_between(sometimes, number("5"), number("9"), 1)).find(null), 0U);
  // A NULL column in one branch only is the same.
  const ExprPtr one_branch = call("case", {call("=", {j, number("1")}), i, number("0")});
  EXPECT_EQ(refused(call("+", {x, one_branch})).find(null), 0U);
}

TEST_F(ChoiceRules, BoundSumsWhereNullIsPublicOrZero) {
  const ExprPtr sometimes = call("case", {call("=", {j, number("1")}), i});
  expect_sound(call("+", {i, call("coalesce", {sometimes, number("0")})}));
  expect_sound(call("+", {i, call("case", {call("=", {j, number("1")}), i, call("negate", {i})})}));
  expect_sound(call("+", {i, call("case", {call("=", {k, number("1")}), i})}));
  expect_sound(call("-", {number("1"), call("case", {call("=", {j, number("1")}), number("3"), number("2")})}));
}

TEST_F(ChoiceRules, BoundCoalesceOfPublicNulls) {
  expect_sound(call("coalesce", {i, j, number("7")}));
  expect_sound(call("coalesce", {x, call("*", {i, i})}));
  expect_sound(call("+", {call("coalesce", {i, number("100")}), j}));
}

TEST_F(ChoiceRules, RefuseComparisonsOfDoubles) {
  EXPECT_NE(refused(call("case", {call("<", {x, number("3")}), number("1"), number("0")})), "accepted");
  EXPECT_NE(
      refused(call("coalesce", {cell("kind", SqlType::integer(32), Use::discrete, "1", "9", {1.0, 9.0}), number("5")})),
      "accepted");
}

TEST_F(ChoiceRules, CoalesceToZeroOfADiscreteColumnCountsItsNull) {
  const ExprPtr kind = cell("kind", SqlType::integer(32), Use::discrete, "4", "9", {4.0, 9.0});
  expect_sound(call("coalesce", {kind, number("0")}));
  expect_sound(call("+", {x, call("coalesce", {kind, number("0")})}));
  expect_sound(call("+", {x, kind}));
}

}  // namespace
}  // namespace tacit
