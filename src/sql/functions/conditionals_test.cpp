#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

using Conditionals = ExpressionFixture;

TEST_F(Conditionals, CaseUnitesTypesAndRanges) {
  const ExprPtr flag = call("case", {b, number("1"), number("0")});
  EXPECT_EQ(sql(flag), "(CASE WHEN b THEN 1 ELSE 0 END)");
  EXPECT_EQ(range(flag), "[0, 1]");
  EXPECT_TRUE(never_null(*flag));
  const ExprPtr mixed = call("case", {b, price, number("0")});
  EXPECT_EQ(type(mixed), "decimal(15,2)");
  EXPECT_EQ(range(mixed), "[0.00, 100000.00]");
  EXPECT_FALSE(never_null(*mixed));
  EXPECT_EQ(range(call("case", {b, number("3"), null_literal(1)})), "[3, 3]");
  EXPECT_EQ(type(call("case", {b, age, number("0.5")})), "decimal(4,1)");
  EXPECT_EQ(range(call("case", {b, i32, number("0")})), "[-2147483648?, 2147483647?]");
  EXPECT_NE(refusal("case", {age, number("1")}).find("WHEN needs a condition"), std::string::npos);
  EXPECT_NE(refusal("case", {b, number("1"), s}), "accepted");
}

TEST_F(Conditionals, CoalesceStopsAtWhatIsNeverNull) {
  EXPECT_EQ(range(call("coalesce", {age, number("-1")})), "[-1, 120]");
  EXPECT_EQ(sql(call("coalesce", {number("1"), i32})), "COALESCE(1)");
  EXPECT_EQ(type(call("coalesce", {null_literal(1), text("a")})), "text");
}

TEST_F(Conditionals, NullifComparesStoredValues) {
  EXPECT_EQ(sql(call("nullif", {i32, number("9")})),
            "(CASE WHEN ((i32 = 9) IS DISTINCT FROM TRUE) THEN CAST(i32 AS INTEGER) END)");
}

TEST_F(Conditionals, LeastIsBoundedByWhatIsNeverNull) {
  EXPECT_EQ(range(call("least", {i64, number("10")})), "[-9223372036854775808?, 10]");
  EXPECT_EQ(range(call("greatest", {call("least", {i64, number("10")}), number("0")})), "[0, 10]");
  // A NULL in one column leaves the other.
  const ExprPtr small = column("small", SqlType::integer(32), exact("0"), exact("5"));
  EXPECT_EQ(range(call("least", {age, small})), "[0, 120]");
  EXPECT_EQ(range(call("greatest", {age, call("negate", {small})})), "[-5, 120]");
  EXPECT_EQ(range(call("least", {unit, number("0.5")})), "[0, 0.5]");
}

TEST_F(Conditionals, LeastWithALiteralIsACase) {
  EXPECT_EQ(sql(call("least", {i32, number("10")})), "(CASE WHEN i32 < 10 THEN CAST(i32 AS INTEGER) ELSE 10 END)");
  EXPECT_EQ(sql(call("greatest", {number("10"), i32})), "(CASE WHEN i32 > 10 THEN CAST(i32 AS INTEGER) ELSE 10 END)");
  EXPECT_EQ(sql(call("least", {s, text("b")})), "LEAST(CAST(s AS VARCHAR), 'b')");
}

TEST_F(Conditionals, AStatedBoundBeyondTheTypeStillCounts) {
  const ExprPtr tiny = column("tiny", SqlType::integer(8));
  // A NULL takes the literal.
  EXPECT_EQ(range(call("least", {tiny, number("1000")})), "[-128?, 1000]");
  EXPECT_EQ(range(*clamp_between(tiny, number("-1000"), number("1000"), 1)), "[-128, 127]");
}

TEST_F(Conditionals, HugeTextIsRefused) {
  ExprPtr nested = x;
  bool refused = false;
  for (int i = 0; i < 60 && !refused; ++i) {
    auto next = bind_call("power", {nested, nested}, 5);
    refused = !next.has_value();
    if (next) nested = *next;
  }
  EXPECT_TRUE(refused);
  nested = age;
  refused = false;
  for (int i = 0; i < 1000 && !refused; ++i) {
    auto next = bind_call("not", {call("is null", {nested})}, 5);
    refused = !next.has_value() && next.error().what == "the expression is too large";
    if (next) nested = *next;
  }
  EXPECT_TRUE(refused);
}

}  // namespace
}  // namespace tacit
