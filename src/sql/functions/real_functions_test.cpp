#include <cmath>

#include "sql/dialects/dialects.hpp"
#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

using RealFunctions = ExpressionFixture;

const RealRange& real(const ExprPtr& expr) { return std::get<RealRange>(expr->range); }

TEST_F(RealFunctions, ColumnsAreReadWithoutNanAndInfinities) {
  EXPECT_EQ(sql(numeric_operand(x)),
            "(CASE WHEN x BETWEEN CAST('-1e+100' AS DOUBLE) AND CAST('1e+100' AS DOUBLE) THEN CAST(x AS DOUBLE) END)");
  EXPECT_EQ(sql(numeric_operand(unit)),
            "(CASE WHEN unit BETWEEN CAST('0' AS DOUBLE) AND CAST('1' AS DOUBLE) THEN CAST(unit AS DOUBLE) WHEN unit < "
            "CAST('0' AS DOUBLE) THEN CAST('0' AS DOUBLE) WHEN unit <= CAST('infinity' AS DOUBLE) THEN CAST('1' AS "
            "DOUBLE) END)");
  EXPECT_EQ(range(numeric_operand(unit)), "[0, 1]");
  EXPECT_FALSE(real(numeric_operand(x)).stated());
}

TEST_F(RealFunctions, GuardsStandWhereTheRangeNeedsThem) {
  EXPECT_NE(sql(call("sqrt", {x})).find(">= CAST('0' AS DOUBLE) THEN SQRT("), std::string::npos);
  EXPECT_EQ(sql(call("sqrt", {unit})).substr(0, 5), "SQRT(");
  EXPECT_NE(sql(call("ln", {unit})).find("> CAST('0' AS DOUBLE) THEN LN("), std::string::npos);
  EXPECT_EQ(sql(call("ln", {call("+", {unit, number("1")})})).substr(0, 3), "LN(");
  EXPECT_NE(sql(call("exp", {x})).find("<= CAST('690' AS DOUBLE) THEN EXP("), std::string::npos);
  EXPECT_EQ(sql(call("exp", {unit})).substr(0, 4), "EXP(");
}

TEST_F(RealFunctions, RangesHoldTheExtremes) {
  EXPECT_LE(real(call("exp", {unit})).lo.value, 1.0);
  EXPECT_GE(real(call("exp", {unit})).hi.value, std::exp(1.0));
  EXPECT_TRUE(real(call("exp", {unit})).stated());
  EXPECT_FALSE(real(call("ln", {unit})).lo.stated);
  EXPECT_LE(real(call("ln", {unit})).lo.value, -744.0);
  EXPECT_EQ(real(call("sqrt", {x})).lo.value, 0.0);
  EXPECT_LT(real(call("exp", {x})).hi.value, 1e300);
  const ExprPtr low = column("low", SqlType::real(), exact("-725"), exact("1"));
  EXPECT_EQ(real(call("exp", {low})).lo.value, 0.0) << "not e^-725: what is printed is 0 there";
  const ExprPtr tiny = column("tiny", SqlType::real(), exact("1e-35"), exact("1"));
  const ExprPtr negative = column("negative", SqlType::real(), exact("-1"), exact("-1e-35"));
  EXPECT_EQ(real(call("power", {tiny, number("9")})).lo.value, 0.0);
  EXPECT_GT(real(call("power", {tiny, number("8")})).lo.value, 0.0);
  EXPECT_EQ(real(call("power", {negative, number("9")})).hi.value, 0.0);
  const ExprPtr tinier = call("power", {tiny, number("8")});
  EXPECT_EQ(real(call("*", {tinier, tinier})).lo.value, 0.0);
  EXPECT_EQ(real(call("*", {tinier, negative})).hi.value, 0.0);
  EXPECT_NE(
      sql(call("ln", {call("*", {tinier, tiny})}), postgres_dialect()).find("> CAST('0' AS DOUBLE PRECISION) THEN LN("),
      std::string::npos);
}

TEST_F(RealFunctions, DivisionIsGuardedUnlessZeroIsExcluded) {
  EXPECT_NE(sql(call("/", {x, unit})).find("CASE WHEN ABS("), std::string::npos);
  EXPECT_GT(real(call("/", {x, unit})).hi.value, 1e100);
  EXPECT_FALSE(real(call("/", {x, unit})).stated());
  const ExprPtr safe = call("/", {unit, call("+", {unit, number("1")})});
  EXPECT_EQ(sql(safe).find("ABS"), std::string::npos);
  EXPECT_TRUE(real(safe).stated());
  EXPECT_GE(real(safe).hi.value, 1.0);
}

TEST_F(RealFunctions, PowerIsPlainWhereItIsDefined) {
  EXPECT_EQ(sql(call("power", {unit, number("2")})).substr(0, 6), "POWER(");
  EXPECT_EQ(sql(call("pow", {unit, number("0.5")})).substr(0, 6), "POWER(");
  EXPECT_EQ(sql(call("power", {unit, number("-1")})).substr(0, 6), "(CASE ");
  EXPECT_EQ(sql(call("power", {x, number("4")})).substr(0, 6), "(CASE ");
  EXPECT_EQ(sql(call("power", {x, number("2")})).substr(0, 6), "POWER(");
  const ExprPtr square = call("power", {call("-", {unit, number("2")}), number("2")});
  EXPECT_LE(real(square).lo.value, 1.0);
  EXPECT_GT(real(square).lo.value, 0.999999);
  EXPECT_GE(real(square).hi.value, 4.0);
  EXPECT_EQ(real(call("power", {x, number("2")})).lo.value, 0.0);
}

TEST_F(RealFunctions, ExactArgumentsBecomeDoubles) {
  EXPECT_EQ(type(call("sqrt", {age})), "double");
  EXPECT_NE(sql(call("sqrt", {age})).find("AS DOUBLE"), std::string::npos);
  EXPECT_NE(refusal("sqrt", {s}), "accepted");
  EXPECT_NE(refusal("ln", {text("x")}), "accepted");
  EXPECT_NE(refusal("power", {x}), "accepted");
}

}  // namespace
}  // namespace tacit
