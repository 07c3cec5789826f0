#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

struct Cast : ExpressionFixture {
  static ExprPtr cast(const ExprPtr& value, const SqlType& target) {
    auto bound = bind_cast(value, target, 1);
    EXPECT_TRUE(bound.has_value()) << (bound ? "" : to_line(bound.error()));
    return bound.value_or(null_literal(1));
  }
  static bool refused(const ExprPtr& value, const SqlType& target) { return !bind_cast(value, target, 1).has_value(); }
  static std::string folded(std::string_view literal, const SqlType& target) {
    return sql(cast(text(literal), target));
  }
};

TEST_F(Cast, LiteralsAreReadAtBinding) {
  EXPECT_EQ(folded(" 42 ", SqlType::integer(32)), "42");
  EXPECT_EQ(folded("1.005", SqlType::decimal(5, 2)), "CAST(1.01 AS DECIMAL(5,2))");
  EXPECT_EQ(folded("-1e-3", SqlType::real()), "CAST('-0.001' AS DOUBLE)");
  EXPECT_EQ(folded("Yes", SqlType::boolean()), "TRUE");
  EXPECT_EQ(folded("2020-02-29", SqlType::date()), "DATE '2020-02-29'");
  EXPECT_EQ(folded("2020-02-29 10:00", SqlType::date()), "DATE '2020-02-29'");
  EXPECT_EQ(folded("2020-02-29T10:00:00.5", SqlType::timestamp()), "TIMESTAMP '2020-02-29 10:00:00.5'");
  EXPECT_EQ(sql(cast(null_literal(1), SqlType::date())), "CAST(NULL AS DATE)");
}

TEST_F(Cast, MalformedLiteralsAreRefused) {
  EXPECT_TRUE(refused(text("4.5"), SqlType::integer(32)));
  EXPECT_TRUE(refused(text("32768"), SqlType::integer(16)));
  EXPECT_TRUE(refused(text("1000"), SqlType::decimal(5, 2)));
  EXPECT_TRUE(refused(text("nan"), SqlType::real()));
  EXPECT_TRUE(refused(text("1e301"), SqlType::real()));
  EXPECT_TRUE(refused(text("2019-02-29"), SqlType::date()));
  EXPECT_TRUE(refused(text("infinity"), SqlType::date()));
  EXPECT_TRUE(refused(text("10000-01-01"), SqlType::timestamp()));
  EXPECT_TRUE(refused(text(""), SqlType::boolean()));
}

TEST_F(Cast, ExactNumbersRoundAndGuard) {
  EXPECT_EQ(sql(cast(i64, SqlType::integer(32))),
            "CAST((CASE WHEN i64 BETWEEN CAST(-2147483648 AS BIGINT) AND CAST(2147483647 AS BIGINT) THEN CAST(i64 AS "
            "BIGINT) END) AS INTEGER)");
  EXPECT_EQ(sql(cast(i32, SqlType::integer(64))), "CAST(i32 AS BIGINT)");
  EXPECT_EQ(range(cast(price, SqlType::integer(32))), "[0, 100000]");
  EXPECT_EQ(range(cast(age, SqlType::decimal(5, 2))), "[0, 120]");
  EXPECT_EQ(type(cast(d15, SqlType::decimal(3, 1))), "decimal(3,1)");
  EXPECT_EQ(range(cast(d15, SqlType::decimal(3, 1))), "[-99.9?, 99.9?]");
}

TEST_F(Cast, DoublesAreGuarded) {
  const std::string to_int = sql(cast(x, SqlType::integer(32)));
  EXPECT_NE(to_int.find("CAST('-2147483648' AS DOUBLE) AND CAST('2147483647.4999998' AS DOUBLE)"), std::string::npos)
      << to_int;
  EXPECT_EQ(range(cast(unit, SqlType::integer(32))), "[0, 1]");
  EXPECT_EQ(range(cast(unit, SqlType::decimal(5, 2))), "[-0.01, 1.01]");
  EXPECT_EQ(type(cast(age, SqlType::real())), "double");
  EXPECT_TRUE(refused(x, SqlType::text()));
}

TEST_F(Cast, TextBooleansAndDates) {
  EXPECT_EQ(sql(cast(column("f", SqlType::decimal(2, 2)), SqlType::text())),
            "CAST(CAST(f AS DECIMAL(3,2)) AS VARCHAR)");
  EXPECT_EQ(sql(cast(b, SqlType::integer(32))), "CAST(CAST(CAST(b AS BOOLEAN) AS INTEGER) AS INTEGER)");
  EXPECT_EQ(range(cast(b, SqlType::integer(32))), "[0, 1]");
  EXPECT_EQ(sql(cast(i32, SqlType::boolean())), "(i32 <> 0)");
  EXPECT_NE(sql(cast(ts, SqlType::date())).find("BETWEEN TIMESTAMP '0001-01-01 00:00:00'"), std::string::npos);
  EXPECT_TRUE(refused(s, SqlType::integer(32)));
  EXPECT_TRUE(refused(d, SqlType::integer(32)));
  EXPECT_TRUE(refused(x, SqlType::boolean()));
  EXPECT_TRUE(refused(b, SqlType::real()));
  EXPECT_TRUE(refused(interval("1 day"), SqlType::text()));
}

}  // namespace
}  // namespace tacit
