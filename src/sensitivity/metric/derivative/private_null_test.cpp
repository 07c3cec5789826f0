#include "sensitivity/metric/derivative/private_null.hpp"

#include "sensitivity/metric/derivative/derivative_fixture.hpp"

namespace tacit {
namespace {

struct PrivateNull : DerivativeFixture {
  const ExprPtr i = whole("i");
  const ExprPtr j = whole("j");
  const ExprPtr k = open("k");
  const ExprPtr kind = cell("kind", SqlType::integer(32), Use::discrete, "2", "9", {2.0, 9.0});
  const ExprPtr condition = call("<", {i, number("3")});

  PrivateNulls nulls(const ExprPtr& expr) const { return private_nulls(*expr, columns); }
};

TEST_F(PrivateNull, PlainAndPublicColumnsHaveNone) {
  EXPECT_TRUE(nulls(i).none());
  EXPECT_TRUE(nulls(call("+", {i, k})).none());
  EXPECT_TRUE(nulls(call("case", {call("<", {k, number("1")}), i})).none());
  EXPECT_TRUE(nulls(call("case", {call("is null", {i}), number("1")})).none());
}

TEST_F(PrivateNull, DiscreteColumnsCarryTheirs) {
  EXPECT_EQ(nulls(kind).discrete, std::set<const Column*>{key_of(kind)});
  EXPECT_EQ(nulls(call("*", {call("+", {kind, i}), j})).discrete, std::set<const Column*>{key_of(kind)});
  EXPECT_TRUE(nulls(call("coalesce", {kind, number("0")})).none());
}

TEST_F(PrivateNull, AConditionPicksNullUnlessTheBranchesAgree) {
  EXPECT_TRUE(nulls(call("case", {condition, j})).by_condition);
  EXPECT_TRUE(nulls(call("case", {condition, j, number("0")})).by_condition);
  EXPECT_TRUE(nulls(call("case", {condition, j, i})).by_condition);
  EXPECT_TRUE(nulls(call("case", {condition, j, call("sqrt", {j})})).by_condition);
  EXPECT_FALSE(nulls(call("case", {condition, number("1"), number("0")})).by_condition);
  EXPECT_FALSE(nulls(call("case", {condition, j, call("*", {j, number("2")})})).by_condition);
  EXPECT_FALSE(nulls(call("case", {condition, call("+", {j, k}), call("-", {k, j})})).by_condition);
  EXPECT_FALSE(nulls(call("coalesce", {call("case", {condition, j}), number("0")})).by_condition);
}

TEST_F(PrivateNull, JumpsOnlyWhereZeroIsNotKept) {
  const ExprPtr sometimes = call("case", {condition, j});
  const auto jumps = [&](const ExprPtr& expr) { return nulls_that_jump(*expr, columns).by_condition; };
  EXPECT_FALSE(jumps(call("*", {sometimes, k})));
  EXPECT_FALSE(jumps(call("negate", {sometimes})));
  EXPECT_FALSE(jumps(call("abs", {sometimes})));
  EXPECT_FALSE(jumps(call("power", {sometimes, number("2")})));
  EXPECT_FALSE(jumps(call("/", {sometimes, real_number(3.0)})));
  EXPECT_FALSE(jumps(call("coalesce", {sometimes, number("0")})));
  EXPECT_FALSE(jumps(*clamp_between(sometimes, number("-1"), number("9"), 1)));
  EXPECT_TRUE(jumps(*clamp_between(sometimes, number("1"), number("9"), 1)));
  EXPECT_TRUE(jumps(call("+", {sometimes, k})));
  EXPECT_TRUE(jumps(call("-", {k, sometimes})));
  EXPECT_TRUE(jumps(call("/", {real_number(3.0), sometimes})));
  EXPECT_TRUE(jumps(call("power", {sometimes, number("0")})));
  EXPECT_TRUE(jumps(call("sqrt", {sometimes})));
  EXPECT_TRUE(jumps(call("exp", {sometimes})));
  EXPECT_TRUE(jumps(call("least", {sometimes, k})));
  EXPECT_TRUE(jumps(call("coalesce", {sometimes, number("1")})));
}

}  // namespace
}  // namespace tacit
