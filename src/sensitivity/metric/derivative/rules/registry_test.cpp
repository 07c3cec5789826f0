#include <cmath>
#include <set>

#include "sensitivity/metric/derivative/affine.hpp"
#include "sensitivity/metric/derivative/derivative_fixture.hpp"
#include "sensitivity/metric/derivative/private_null.hpp"
#include "sensitivity/metric/derivative/rules/rules.hpp"

namespace tacit {
namespace {

struct DerivativeRegistry : DerivativeFixture {
  const ExprPtr x = real("x", "1", "40");
  const ExprPtr i = whole("i");
  const ExprPtr d = cell("d", SqlType::date(), Use::plain, "1992-01-01", "1998-12-31", {9000.0});
  const ExprPtr p = cell("p", SqlType::decimal(15, 2), Use::plain, "1", "100000", {1.0});

  void expect_jumps(const ExprPtr& expr) const {
    EXPECT_NE(refused(expr).find("jumps when a value moves a little"), std::string::npos) << sql(expr);
  }
};

TEST_F(DerivativeRegistry, ListsRulesOfSqlOnce) {
  std::set<const FunctionRule*> listed;
  for (const auto& rule : derivative_rules()) {
    EXPECT_TRUE(listed.insert(rule.function).second) << rule.function->name << " is listed twice";
    EXPECT_EQ(find_derivative_rule(*rule.function), &rule);
    EXPECT_EQ(find_function(rule.function->name), rule.function) << rule.function->name << " is no rule of SQL";
  }
  EXPECT_EQ(find_derivative_rule(*find_function("floor")), nullptr);
}

TEST_F(DerivativeRegistry, RefusesWhatRounds) {
  expect_jumps(call("floor", {x}));
  expect_jumps(call("ceil", {x}));
  expect_jumps(call("round", {x}));
  expect_jumps(call("round", {p, number("1")}));
  expect_jumps(call("sign", {x}));
  expect_jumps(call("/", {i, number("2")}));
  expect_jumps(call("%", {i, number("7")}));
  expect_jumps(call("extract", {text("year"), d}));
  expect_jumps(call("nullif", {i, number("7")}));
  expect_jumps(*bind_cast(x, SqlType::integer(32), 1));
  expect_jumps(*bind_cast(p, SqlType::decimal(15, 1), 1));
  expect_jumps(*bind_cast(p, SqlType::integer(64), 1));
}

TEST_F(DerivativeRegistry, KnowsNothingOfAFunctionThatClaimsNothing) {
  const FunctionRule made_up{"made up", {Nulls::anywhere, Meaning::other}, nullptr, nullptr};
  const ExprPtr f = make_call(made_up, {numeric_operand(x)}, SqlType::real(), x->range, 0);
  expect_jumps(f);
  EXPECT_TRUE(std::isinf(rounding_error(*f, columns).absolute));
  EXPECT_FALSE(passes_nulls_on(*f));
  EXPECT_FALSE(monotone_value(*f, *std::get<ColumnRef>(x->node).column, 2.0));
  EXPECT_FALSE(never_null(*make_call(made_up, {number("1")}, SqlType::real(), x->range, 0)));
}

TEST_F(DerivativeRegistry, RefusesRoundingInsideOtherFunctions) {
  expect_jumps(call("*", {call("floor", {x}), i}));
  expect_jumps(call("case", {call("=", {open("k"), number("1")}), call("round", {x}), x}));
  expect_jumps(call("least", {call("floor", {x}), number("3")}));
}

TEST_F(DerivativeRegistry, LetsPublicPartsRound) {
  const ExprPtr k = open("k", {0.0, 7.0});
  const auto f = derive(call("*", {call("/", {k, number("2")}), x}));
  EXPECT_TRUE(f.has_value());
}

TEST_F(DerivativeRegistry, TheRefusalNamesColumnsAndNoValues) {
  const std::string what = refused(call("floor", {x}));
  EXPECT_EQ(what, "`floor` of the private t.x jumps when a value moves a little: no amount of noise hides that");
}

}  // namespace
}  // namespace tacit
