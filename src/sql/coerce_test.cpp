#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

using Coerce = ExpressionFixture;

TEST_F(Coerce, NumbersAreIntegersOrDecimals) {
  EXPECT_EQ(type(number("7")), "integer");
  EXPECT_EQ(type(number("3000000000")), "bigint");
  EXPECT_EQ(type(number("99999999999999999999")), "hugeint");
  EXPECT_EQ(type(number("0.05")), "decimal(2,2)");
  EXPECT_EQ(type(number("1e3")), "decimal(4,0)");
  EXPECT_FALSE(number_literal("1e-60", 4).has_value());
  EXPECT_FALSE(number_literal("123456789012345678901234567890123456789", 4).has_value());
}

TEST_F(Coerce, ReadingClampsOnlyBareColumns) {
  EXPECT_EQ(range(numeric_operand(age)), "[0, 120]");
  EXPECT_EQ(numeric_operand(i32), i32);
  const ExprPtr sum = call("+", {age, age});
  EXPECT_EQ(numeric_operand(sum), sum);
  const ExprPtr from = column("from", SqlType::integer(32), exact("3"));
  EXPECT_EQ(sql(numeric_operand(from)), "(CASE WHEN from < 3 THEN 3 ELSE CAST(from AS INTEGER) END)");
  EXPECT_EQ(range(numeric_operand(from)), "[3, 2147483647?]");
}

TEST_F(Coerce, AComputedDoubleKeepsItsOwnRange) {
  const RealRange wide{{-1e200, false}, {1e200, false}};
  const Column computed{"c", SqlType::real(), true, wide, {}, {}, ""};
  const ExprPtr read = numeric_operand(make_column(std::make_shared<const Column>(computed), 1));
  EXPECT_EQ(range(read), "[-1e+200?, 1e+200?]");
  EXPECT_EQ(sql(read).substr(0, 15), "(CASE WHEN c BE");
}

TEST_F(Coerce, ClampBetweenTakesOrderedLiterals) {
  EXPECT_EQ(range(*clamp_between(i32, number("0"), number("10"), 1)), "[0, 10]");
  EXPECT_EQ(range(*clamp_between(i32, number("0.5"), number("9.5"), 1)), "[0.5, 9.5]");
  EXPECT_EQ(range(*clamp_between(age, number("-10"), number("10"), 1)), "[0, 10]");
  EXPECT_EQ(range(*clamp_between(x, number("0"), number("1"), 1)), "[0, 1]");
  EXPECT_EQ(type(*clamp_between(d, text("2020-01-01"), text("2020-12-31"), 1)), "date");
  EXPECT_FALSE(clamp_between(i32, number("10"), number("0"), 1).has_value());
  EXPECT_FALSE(clamp_between(i32, i32, number("0"), 1).has_value());
  EXPECT_FALSE(clamp_between(s, text("a"), text("b"), 1).has_value());
  EXPECT_FALSE(clamp_between(i32, null_literal(1), number("0"), 1).has_value());
}

TEST_F(Coerce, ConditionsAndUntypedLiterals) {
  EXPECT_TRUE(require_boolean(b, "WHERE").has_value());
  EXPECT_FALSE(require_boolean(age, "WHERE").has_value());
  EXPECT_EQ(sql(*require_boolean(null_literal(1), "WHERE")), "CAST(NULL AS BOOLEAN)");
  EXPECT_EQ(type(*resolve_unknown(text("a"))), "text");
  EXPECT_EQ(type(*resolve_unknown(null_literal(1))), "text");
}

TEST_F(Coerce, PrivacyFollowsTheArguments) {
  Column open{"open", SqlType::integer(32), false, type_range(SqlType::integer(32)), {}, {}, "n.open"};
  const ExprPtr public_column = make_column(std::make_shared<const Column>(open), 1);
  EXPECT_FALSE(call("+", {public_column, number("1")})->is_private);
  EXPECT_TRUE(call("+", {public_column, age})->is_private);
}

TEST_F(Coerce, SameExpressionIsStructural) {
  EXPECT_TRUE(same_expression(*call("+", {age, number("1")}), *call("+", {age, number("1")})));
  EXPECT_FALSE(same_expression(*call("+", {age, number("1")}), *call("+", {age, number("2")})));
  EXPECT_FALSE(same_expression(*call("+", {age, number("1")}), *call("-", {age, number("1")})));
  const ExprPtr clamps[] = {*clamp_between(i32, number("0"), number("1"), 1),
                            *clamp_between(i32, number("0"), number("2"), 1)};
  EXPECT_FALSE(same_expression(*clamps[0], *clamps[1]));
  EXPECT_EQ(columns_read(*call("+", {age, call("*", {age, price})})).size(), 2U);
}

}  // namespace
}  // namespace tacit
