#include "sql/print_expression.hpp"

#include <gtest/gtest.h>

#include "sql/dialects/dialects.hpp"

namespace tacit {
namespace {

std::string literal(const Value& value, const SqlType& type) { return print_literal(value, type, duckdb_dialect()); }

TEST(PrintExpression, LiteralsSpellTheirType) {
  EXPECT_EQ(literal(std::string("it's \\ \"x\""), SqlType::text()), "'it''s \\ \"x\"'");
  EXPECT_EQ(literal(Decimal{150, 2}, SqlType::decimal(3, 2)), "CAST(1.50 AS DECIMAL(3,2))");
  EXPECT_EQ(literal(Decimal{15, 1}, SqlType::decimal(9, 3)), "CAST(1.500 AS DECIMAL(9,3))");
  EXPECT_EQ(literal(Decimal{5, 0}, SqlType::integer(32)), "5");
  EXPECT_EQ(literal(Decimal{-5, 0}, SqlType::integer(32)), "(-5)");
  EXPECT_EQ(literal(Decimal{-5, 0}, SqlType::integer(64)), "CAST(-5 AS BIGINT)");
  EXPECT_EQ(literal(Decimal{power_of_ten(37), 0}, SqlType::integer(128)),
            "CAST('10000000000000000000000000000000000000' AS HUGEINT)");
  EXPECT_EQ(literal(Decimal{1, 30}, SqlType::decimal(30, 30)),
            "CAST('0.000000000000000000000000000001' AS DECIMAL(30,30))");
  EXPECT_EQ(literal(0.1, SqlType::real()), "CAST('0.1' AS DOUBLE)");
  EXPECT_EQ(literal(1.0 / 3.0, SqlType::real()), "CAST('0.3333333333333333' AS DOUBLE)");
  EXPECT_EQ(literal(true, SqlType::boolean()), "TRUE");
  EXPECT_EQ(literal(Null{}, SqlType::decimal(5, 2)), "CAST(NULL AS DECIMAL(5,2))");
  EXPECT_EQ(literal(*parse_date("0099-03-01"), SqlType::date()), "DATE '0099-03-01'");
  EXPECT_EQ(literal(*parse_timestamp("2020-01-01 10:00:00.25"), SqlType::timestamp()),
            "TIMESTAMP '2020-01-01 10:00:00.25'");
}

TEST(PrintExpression, IdentifiersAreQuoted) {
  EXPECT_EQ(quote_identifier("plain"), "\"plain\"");
  EXPECT_EQ(quote_identifier("a\"b; DROP"), "\"a\"\"b; DROP\"");
}

TEST(PrintExpression, TypeNamesPerDialect) {
  EXPECT_EQ(postgres_dialect().type_name(SqlType::integer(128)), "NUMERIC(39,0)");
  EXPECT_EQ(postgres_dialect().type_name(SqlType::real()), "DOUBLE PRECISION");
  EXPECT_EQ(duckdb_dialect().type_name(SqlType::text()), "VARCHAR");
}

}  // namespace
}  // namespace tacit
