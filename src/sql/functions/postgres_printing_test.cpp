// What the rules print for PostgreSQL, where it differs; tests/totality_test.cpp and tests/differential_test.cpp run
// it.
#include "sql/dialects/dialects.hpp"
#include "sql/functions/expression_fixture.hpp"

namespace tacit {
namespace {

struct PostgresPrinting : ExpressionFixture {
  static std::string postgres(const ExprPtr& expr) { return sql(expr, postgres_dialect()); }
  static bool prints(const ExprPtr& expr, std::string_view part) {
    return postgres(expr).find(part) != std::string::npos;
  }
};

TEST_F(PostgresPrinting, ClampsReadTheirArgumentOnce) {
  EXPECT_EQ(postgres(numeric_operand(age)), "int4larger(int4smaller(CAST(age AS INTEGER), 120), 0)");
  EXPECT_EQ(postgres(numeric_operand(price)),
            "numeric_larger(numeric_smaller(price, CAST(100000.00 AS NUMERIC(15,2))), CAST(0.00 AS NUMERIC(15,2)))");
  EXPECT_EQ(postgres(numeric_operand(year2020)),
            "date_larger(date_smaller(CAST(year2020 AS DATE), DATE '2020-12-31'), DATE '2020-01-01')");
  EXPECT_TRUE(prints(numeric_operand(unit), "CASE WHEN unit BETWEEN")) << "NaN has to become NULL";
}

TEST_F(PostgresPrinting, DecimalsAreNeverNanAndNeedNoCasts) {
  EXPECT_EQ(postgres(call("+", {d15, number("1")})), "(NULLIF(d15, 'NaN') + CAST(1 AS NUMERIC(1,0)))");
  EXPECT_EQ(postgres(call("*", {d15, d15})), "(NULLIF(d15, 'NaN') * NULLIF(d15, 'NaN'))");
  EXPECT_EQ(postgres(call("round", {d15})), "ROUND(NULLIF(d15, 'NaN'), 0)");
  EXPECT_EQ(postgres(call("+", {i64, i64})), "(CAST(i64 AS NUMERIC) + CAST(i64 AS NUMERIC))");
  EXPECT_EQ(postgres(*bind_cast(d15, SqlType::text(), 1)), "CAST(ROUND(NULLIF(d15, 'NaN'), 2) AS TEXT)");
  EXPECT_EQ(postgres(call("greatest", {d15, number("0")})),
            "(CASE WHEN NULLIF(d15, 'NaN') > CAST(0.00 AS NUMERIC(15,2)) THEN NULLIF(d15, 'NaN') ELSE CAST(0.00 AS "
            "NUMERIC(15,2)) END)");
  const ExprPtr from_zero = column("from_zero", SqlType::decimal(15, 2), exact("0"));
  EXPECT_EQ(postgres(numeric_operand(from_zero)),
            "numeric_larger(NULLIF(from_zero, 'NaN'), CAST(0.00 AS NUMERIC(15,2)))");
}

TEST_F(PostgresPrinting, ComparisonsOfStoredColumnsStayPlainForIndexes) {
  EXPECT_EQ(postgres(call(">", {d15, number("3")})), "(d15 > CAST(3.00 AS NUMERIC(15,2)))");
  EXPECT_EQ(postgres(call("in", {s, text("a"), text("b")})), "(s IN ('a', 'b'))");
}

TEST_F(PostgresPrinting, ProductsOfDoublesAreGuardedWhereTheyMayUnderflow) {
  EXPECT_FALSE(prints(call("*", {unit, number("2.5")}), "THEN CAST('0' AS DOUBLE PRECISION) ELSE"));
  EXPECT_TRUE(prints(call("*", {unit, number("0.5")}), "ABS("));
  EXPECT_TRUE(prints(call("*", {unit, x}), "float8smaller(ABS("));
  EXPECT_FALSE(prints(call("*", {call("+", {unit, number("2")}), x}), "ABS("));
  EXPECT_EQ(sql(call("*", {unit, x})).find("ABS("), std::string::npos) << "DuckDB's result is 0";
}

TEST_F(PostgresPrinting, DatesThatLeaveItsCalendarAreGuarded) {
  EXPECT_TRUE(prints(call("+", {d, i32}), " - DATE '0001-01-01' + "));
  EXPECT_FALSE(prints(call("+", {year2020, number("30")}), "CASE"));
  EXPECT_TRUE(prints(call("-", {ts, interval("9999 years")}), " >= TIMESTAMP '"));
  EXPECT_FALSE(prints(call("-", {year2020, interval("1 month")}), "CASE"));
}

}  // namespace
}  // namespace tacit
