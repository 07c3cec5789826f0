#include "sql/functions/arithmetic.hpp"

#include "sql/dialects/dialects.hpp"
#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

using Arithmetic = ExpressionFixture;

TEST_F(Arithmetic, IntegersWidenInsteadOfOverflowing) {
  EXPECT_EQ(type(call("+", {i32, i32})), "bigint");
  EXPECT_EQ(sql(call("+", {i32, number("1")})), "(CAST(i32 AS BIGINT) + CAST(1 AS BIGINT))");
  EXPECT_EQ(type(call("+", {i64, i64})), "hugeint");
  EXPECT_EQ(type(call("*", {i64, i64})), "hugeint");
  EXPECT_EQ(type(call("negate", {i64})), "hugeint");
  EXPECT_EQ(type(call("abs", {i64})), "hugeint");
  EXPECT_EQ(type(call("abs", {i32})), "bigint");
}

TEST_F(Arithmetic, ColumnsWithBoundsAreClampedAndStateTheirRange) {
  const ExprPtr sum = call("+", {age, number("5")});
  EXPECT_EQ(range(sum), "[5, 125]");
  EXPECT_EQ(sql(sum),
            "(CAST((CASE WHEN age BETWEEN 0 AND 120 THEN CAST(age AS INTEGER) WHEN age < 0 THEN 0 WHEN age > 120 THEN "
            "120 END) AS BIGINT) + CAST(5 AS BIGINT))");
  EXPECT_TRUE(sum->is_private);
  EXPECT_EQ(range(call("-", {number("100"), age})), "[-20, 100]");
  EXPECT_EQ(range(call("*", {age, age})), "[0, 14400]");
  EXPECT_EQ(range(call("abs", {call("-", {age, number("100")})})), "[0, 100]");
}

TEST_F(Arithmetic, UnboundedColumnsProveButDoNotState) {
  EXPECT_EQ(range(call("+", {i32, number("1")})), "[-2147483647?, 2147483648?]");
}

// The revenue of TPC-H: all in 64 bits, no casts of columns.
TEST_F(Arithmetic, BoundedDecimalsStayInEighteenDigits) {
  const ExprPtr revenue = call("*", {price, call("-", {number("1"), discount})});
  EXPECT_EQ(type(revenue), "decimal(18,4)");
  EXPECT_EQ(range(revenue), "[0.0, 100000]");
  EXPECT_EQ(sql(revenue).find("DECIMAL(19"), std::string::npos);
}

TEST_F(Arithmetic, UnboundedDecimalsAreWidened) {
  const ExprPtr product = call("*", {d15, d15});
  EXPECT_EQ(sql(product), "(CAST(d15 AS DECIMAL(19,2)) * CAST(d15 AS DECIMAL(15,2)))");
  EXPECT_EQ(type(product), "decimal(34,4)");
}

TEST_F(Arithmetic, WhatMayOverflowIsRefusedAndNamesTheColumns) {
  const std::string line = refusal("*", {call("*", {d15, d15}), d15});
  EXPECT_NE(line.find("`*` may overflow"), std::string::npos) << line;
  EXPECT_NE(line.find("ask the owner to declare min and max of t.d15"), std::string::npos) << line;
  EXPECT_NE(refusal("+", {d38, d38}).find("t.d38"), std::string::npos);
  EXPECT_NE(refusal("+", {i128, number("1")}).find("t.i128"), std::string::npos);
  EXPECT_NE(refusal("abs", {i128}).find("t.i128"), std::string::npos);
  EXPECT_NE(refusal("*", {call("*", {x, x}), call("*", {x, x})}).find("t.x"), std::string::npos);
}

TEST_F(Arithmetic, MixedTypesAreExactUntilADoubleComesIn) {
  EXPECT_EQ(type(call("+", {age, number("0.5")})), "decimal(5,1)");
  EXPECT_EQ(type(call("+", {age, x})), "double");
  EXPECT_EQ(type(call("*", {age, text("0.25")})), "decimal(5,2)");
}

TEST_F(Arithmetic, RefusesWhatIsNotANumber) {
  EXPECT_NE(refusal("+", {s, number("1")}).find("text"), std::string::npos);
  EXPECT_NE(refusal("*", {b, number("1")}).find("boolean"), std::string::npos);
  EXPECT_NE(refusal("+", {text("1"), text("2")}), "accepted");
  EXPECT_NE(refusal("+", {age, text("one")}), "accepted");
  EXPECT_NE(refusal("*", {d, number("2")}), "accepted");
  EXPECT_NE(refusal("+", {age}), "accepted");
}

TEST_F(Arithmetic, NegatedLiteralsAreLiterals) {
  const ExprPtr minus = call("negate", {number("5")});
  EXPECT_TRUE(is_literal(*minus));
  EXPECT_EQ(sql(minus), "(-5)");
  EXPECT_EQ(sql(call("negate", {number("9223372036854775808")})), "CAST('-9223372036854775808' AS BIGINT)");
}

TEST_F(Arithmetic, IntegerDivisionCutsAndGuards) {
  EXPECT_EQ(type(call("/", {age, number("7")})), "bigint");
  EXPECT_EQ(range(call("/", {age, number("7")})), "[0, 17]");
  EXPECT_EQ(sql(call("/", {i32, i32})), "(CAST(i32 AS BIGINT) // CAST(i32 AS BIGINT))");
  EXPECT_EQ(sql(call("/", {i32, i32}), postgres_dialect()), "(CAST(i32 AS BIGINT) / NULLIF(CAST(i32 AS BIGINT), 0))");
  const std::string guarded = sql(call("/", {i64, i64}));
  EXPECT_NE(guarded.find("<> CAST(-1 AS BIGINT)"), std::string::npos) << guarded;
  EXPECT_EQ(type(call("/", {i64, i64})), "bigint");
  EXPECT_EQ(range(call("/", {age, number("0")})), "[0, 0]");
}

TEST_F(Arithmetic, DecimalDivisionHasAStatedScale) {
  EXPECT_EQ(call("/", {price, number("3")})->type.scale, 6);
  EXPECT_EQ(call("/", {column("long", SqlType::decimal(20, 10)), number("3.0")})->type.scale, 10);
  EXPECT_EQ(range(call("/", {price, number("4.0")})), "[0.000000, 25000.000000]");
  EXPECT_FALSE(std::get<ExactRange>(call("/", {price, age})->range).stated());
  EXPECT_NE(refusal("/", {d38, d38}), "accepted");
  EXPECT_EQ(sql(call("/", {price, discount})).find("DOUBLE"), std::string::npos);
}

TEST_F(Arithmetic, RemaindersKeepTheSignOfTheDividend) {
  EXPECT_EQ(range(call("%", {age, number("7")})), "[0, 6]");
  EXPECT_EQ(range(call("mod", {i32, number("7")})), "[-6, 6]");
  EXPECT_EQ(type(call("%", {price, number("0.25")})), "decimal(15,2)");
  EXPECT_NE(refusal("%", {x, number("2")}), "accepted");
}

TEST_F(Arithmetic, RoundingOfExactNumbers) {
  EXPECT_EQ(type(call("round", {price})), "decimal(6,0)");
  EXPECT_EQ(range(call("round", {price, number("1")})), "[0.0, 100000.0]");
  EXPECT_EQ(sql(call("round", {d15, number("5")})), "d15");
  EXPECT_EQ(call("round", {price, call("negate", {number("3")})})->type.scale, 0);
  EXPECT_EQ(type(call("floor", {price})), "decimal(15,0)");
  EXPECT_EQ(type(call("ceil", {age})), "integer");
  EXPECT_NE(refusal("round", {price, i32}), "accepted");
  EXPECT_NE(refusal("round", {x, number("2")}), "accepted");
  EXPECT_EQ(range(call("sign", {x})), "[-1, 1]");
}

TEST_F(Arithmetic, EngineTypesFollowDuckDb) {
  const auto decimal = SqlType::decimal;
  EXPECT_EQ(engine_product_type(decimal(4, 2), decimal(4, 1)), decimal(8, 3));
  EXPECT_EQ(engine_product_type(decimal(15, 2), decimal(15, 2)), decimal(18, 4));
  EXPECT_EQ(engine_product_type(decimal(18, 10), decimal(18, 10)), decimal(36, 20));
  EXPECT_EQ(engine_product_type(decimal(38, 2), decimal(4, 1)), decimal(38, 3));
  EXPECT_EQ(engine_sum_type(decimal(4, 2), decimal(4, 1)), decimal(6, 2));
  EXPECT_EQ(engine_sum_type(decimal(18, 2), decimal(18, 6)), decimal(18, 6));
  EXPECT_EQ(engine_sum_type(decimal(30, 2), decimal(30, 2)), decimal(31, 2));
}

// DuckDB has no type for a call with an argument that is always NULL, and FLOOR of it is a double.
TEST_F(Arithmetic, WhatFoldsToNullKeepsItsType) {
  const ExprPtr null = *bind_cast(null_literal(1), SqlType::decimal(15, 2), 1);
  const std::string sum = sql(call("+", {d15, null}));
  EXPECT_EQ(sum.substr(0, 6), "CAST((") << sum;
  EXPECT_EQ(sum.substr(sum.size() - 19), ") AS DECIMAL(16,2))") << sum;
  EXPECT_EQ(sql(call("floor", {call("+", {d15, null})})), "CAST(FLOOR(" + sum + ") AS DECIMAL(16,0))");
  const ExprPtr never = call("/", {number("1.0"), number("0")});
  EXPECT_EQ(sql(call("abs", {call("*", {d15, never})})).substr(0, 14), "CAST(ABS(CAST(");
  EXPECT_EQ(sql(call("+", {d15, null}), postgres_dialect()).substr(0, 1), "(");
  EXPECT_EQ(sql(call("+", {d15, number("1.50")})).substr(0, 6), "(CAST(");
}

}  // namespace
}  // namespace tacit
