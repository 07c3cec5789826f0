#include <cmath>
#include <limits>

#include "engine/postgres_fixture.hpp"
#include "support/time_limit.hpp"

namespace tacit {
namespace {

using tacit::testing::cpu_seconds;
using tacit::testing::time_limit;
using Rows = std::vector<std::vector<Value>>;

class PostgresRead : public PostgresTest {
 protected:
  Value one(Engine& engine, const std::string& expression, const SqlType& type) {
    const auto rows = engine.read_public({"SELECT " + expression, {type}});
    if (!rows) throw std::runtime_error(to_line(rows.error()));
    return rows->at(0).at(0);
  }
};

TEST_F(PostgresRead, ReadsEveryTypeExactly) {
  const auto engine = open();
  const auto check = [&](const std::string& expression, const SqlType& type, const Value& expected) {
    EXPECT_EQ(one(*engine, expression, type), expected) << expression;
  };
  const Int128 most = power_of_ten(38) - 1;
  check("true", SqlType::boolean(), true);
  check("NULL::bool", SqlType::boolean(), Null{});
  check("(-32768)::int2", SqlType::integer(16), Decimal{-32768, 0});
  check("(-2147483648)::int4", SqlType::integer(32), Decimal{-2147483648LL, 0});
  check("(-9223372036854775808)::int8", SqlType::integer(64), Decimal{std::numeric_limits<std::int64_t>::min(), 0});
  check("12345.67::numeric(12,2)", SqlType::decimal(12, 2), Decimal{1234567, 2});
  check("repeat('9', 38)::numeric", SqlType::decimal(38, 0), Decimal{most, 0});
  check("('-0.' || repeat('9', 38))::numeric", SqlType::decimal(38, 38), Decimal{-most, 38});
  check("('-' || repeat('9', 36) || '.99')::numeric", SqlType::decimal(38, 2), Decimal{-most, 2});
  check("('-' || repeat('9', 37) || '.9')::numeric", SqlType::decimal(38, 1), Decimal{-most, 1});
  check("0::numeric", SqlType::decimal(38, 10), Decimal{0, 0});
  check("1e37::numeric", SqlType::decimal(38, 0), Decimal{power_of_ten(37), 0});
  check("0.0001::numeric", SqlType::decimal(4, 4), Decimal{1, 4});
  check("7::int4", SqlType::decimal(12, 2), Decimal{700, 2});
  check("'1.50'::text", SqlType::text(), std::string("1.50"));
  check("'\u00fcml\u00e4ut'::varchar(20)", SqlType::text(), std::string("\u00fcml\u00e4ut"));
  check("1.5::float8", SqlType::real(), 1.5);
  check("0.1::float4", SqlType::real(), static_cast<double>(0.1F));
  check("'-infinity'::float8", SqlType::real(), -std::numeric_limits<double>::infinity());
  check("DATE '1970-01-01'", SqlType::date(), Date{0});
  check("DATE '0001-12-31 BC'", SqlType::date(), Date{-719163});
  check("DATE '4713-01-01 BC'", SqlType::date(), Date{-2440550});
  check("DATE '5874897-12-31'", SqlType::date(), Date{2145042905});
  check("TIMESTAMP '1969-12-31 23:59:59.999999'", SqlType::timestamp(), Timestamp{-1});
  check("TIMESTAMP '2026-11-15 08:30:00.5'", SqlType::timestamp(), *parse_timestamp("2026-11-15 08:30:00.5"));
  EXPECT_TRUE(std::isnan(std::get<double>(one(*engine, "'NaN'::float8", SqlType::real()))));
}

TEST_F(PostgresRead, ReadsWhatATypeCannotHoldAsNull) {
  const auto engine = open();
  const auto is_null = [&](const std::string& expression, const SqlType& type) {
    EXPECT_EQ(one(*engine, expression, type), Value(Null{})) << expression;
  };
  is_null("DATE 'infinity'", SqlType::date());
  is_null("DATE '-infinity'", SqlType::date());
  is_null("TIMESTAMP 'infinity'", SqlType::timestamp());
  is_null("TIMESTAMP '-infinity'", SqlType::timestamp());
  is_null("TIMESTAMP '294276-12-31 23:59:59'", SqlType::timestamp());
  is_null("'NaN'::numeric", SqlType::decimal(12, 2));
  is_null("'Infinity'::numeric", SqlType::decimal(12, 2));
  is_null("'-Infinity'::numeric", SqlType::decimal(12, 2));
  is_null("0.001::numeric", SqlType::decimal(12, 2));
  is_null("0.00001::numeric", SqlType::decimal(12, 2));
  is_null("1e38::numeric", SqlType::decimal(38, 0));
  is_null("1e400::numeric", SqlType::decimal(38, 0));
  is_null("1.5::numeric", SqlType::integer());
}

TEST_F(PostgresRead, GivesExactCellsOnTheirGrids) {
  sql({"CREATE TABLE t (k text, v numeric(12,2))", "INSERT INTO t VALUES ('a', 1.25), ('a', 2), ('b', -0.01)"});
  const auto engine = open();
  const auto rows = engine->run({"SELECT k, count(*), sum(v), sum(v)::int8 FROM public.t GROUP BY k ORDER BY k",
                                 {SqlType::text()},
                                 {0, 2, 0},
                                 {{"public", "t"}}});
  ASSERT_TRUE(rows) << to_line(rows.error());
  const ExactRowsReader reader(*rows);
  ASSERT_EQ(reader.row_count(), 2U);
  EXPECT_EQ(reader.key(1, 0), Value(std::string("b")));
  EXPECT_TRUE(reader.cell(0, 0) == 2 && reader.cell(0, 1) == 325 && reader.cell(0, 2) == 3);
  EXPECT_TRUE(reader.cell(1, 0) == 1 && reader.cell(1, 1) == -1 && reader.cell(1, 2) == 0);
}

TEST_F(PostgresRead, ReadsAMillionRows) {
  const auto engine = open();
  const double begin = cpu_seconds();
  const auto rows = engine->run({"SELECT i, (i % 1000)::text, i * 1.01 FROM generate_series(1, 1000000) AS s(i)",
                                 {SqlType::integer(), SqlType::text()},
                                 {2},
                                 {}});
  const double spent = cpu_seconds() - begin;
  ASSERT_TRUE(rows) << to_line(rows.error());
  const ExactRowsReader reader(*rows);
  ASSERT_EQ(reader.row_count(), 1000000U);
  EXPECT_TRUE(reader.cell(999999, 0) == 101000000);
  EXPECT_LT(spent, time_limit(5));
}

TEST_F(PostgresRead, AcceptsOneSelectOnly) {
  sql({"CREATE TABLE t (a int)"});
  const auto engine = open();
  EXPECT_FALSE(engine->measure("SELECT 1; SELECT 2"));
  EXPECT_FALSE(engine->measure("INSERT INTO public.t VALUES (1)"));
  EXPECT_FALSE(engine->measure("CREATE TABLE public.u (a int)"));
  EXPECT_THROW((void)engine->measure("SET jit = on"), std::exception);
  EXPECT_TRUE(engine->measure("SELECT a FROM public.t"));
}

TEST_F(PostgresRead, MeansTheSameWhateverTheRoleSets) {
  sql({"ALTER DATABASE " + database + " SET DateStyle = 'SQL, DMY'",
       "ALTER DATABASE " + database + " SET TimeZone = 'Asia/Tokyo'",
       "ALTER DATABASE " + database + " SET transform_null_equals = on",
       "ALTER DATABASE " + database + " SET standard_conforming_strings = off",
       "CREATE FUNCTION public.lower(varchar) RETURNS text LANGUAGE sql AS 'SELECT ''shadow'''"});
  const auto engine = open();
  EXPECT_EQ(one(*engine, "DATE '2026-11-15'::text", SqlType::text()), Value(std::string("2026-11-15")));
  EXPECT_EQ(one(*engine, "TIMESTAMPTZ '2026-11-15 00:00:00+00' AT TIME ZONE 'UTC'", SqlType::timestamp()),
            Value(*parse_timestamp("2026-11-15")));
  EXPECT_EQ(one(*engine, "'\\n'", SqlType::text()), Value(std::string("\\n")));
  EXPECT_EQ(one(*engine, "lower('A'::varchar)", SqlType::text()), Value(std::string("a")));
}

}  // namespace
}  // namespace tacit
