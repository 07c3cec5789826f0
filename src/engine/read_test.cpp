#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "engine/engine_fixture.hpp"

namespace tacit {
namespace {

using ReadTest = EngineTest;

Value number(Int128 units, int scale = 0) { return Decimal{units, scale}; }

TEST_F(ReadTest, GivesEveryKindOfValue) {
  const auto engine = open();
  const auto rows = engine->read_public(
      {"SELECT true, CAST(-7 AS TINYINT), CAST(300 AS SMALLINT), 70000, CAST(-9223372036854775808 AS BIGINT), "
       "CAST('170141183460469231731687303715884105727' AS HUGEINT), CAST(-1.50 AS DECIMAL(3,2)), "
       "CAST(123456.789 AS DECIMAL(9,3)), CAST(12345678901234.5678 AS DECIMAL(18,4)), "
       "CAST(-99999999999999999999999999999999999.999 AS DECIMAL(38,3)), CAST(0.1 AS DOUBLE), 'naïve 日本 🚢', "
       "DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59.999999', CAST(NULL AS INTEGER)",
       {SqlType::boolean(), SqlType::integer(8), SqlType::integer(16), SqlType::integer(32), SqlType::integer(),
        SqlType::integer(128), SqlType::decimal(3, 2), SqlType::decimal(9, 3), SqlType::decimal(18, 4),
        SqlType::decimal(38, 3), SqlType::real(), SqlType::text(), SqlType::date(), SqlType::timestamp(),
        SqlType::integer(32)}});
  ASSERT_TRUE(rows) << to_line(rows.error());
  const std::vector<Value> expected = {true,
                                       number(-7),
                                       number(300),
                                       number(70000),
                                       number(std::numeric_limits<std::int64_t>::min()),
                                       number(*parse_int128("170141183460469231731687303715884105727")),
                                       number(-150, 2),
                                       number(123456789, 3),
                                       number(*parse_int128("123456789012345678"), 4),
                                       number(-*parse_int128("99999999999999999999999999999999999999"), 3),
                                       0.1,
                                       std::string("naïve 日本 🚢"),
                                       Date{-1},
                                       Timestamp{-1},
                                       Null{}};
  ASSERT_EQ(rows->size(), 1u);
  ASSERT_EQ(rows->at(0).size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(rows->at(0)[i], expected[i]) << "column " << i;
}

TEST_F(ReadTest, TakesADecimalsScaleFromItsType) {
  const auto rows =
      open()->read_public({"SELECT CAST(1.5 AS DECIMAL(3,1)), 7", {SqlType::decimal(6, 3), SqlType::decimal(4, 2)}});
  ASSERT_TRUE(rows);
  EXPECT_EQ(std::get<Decimal>(rows->at(0)[0]).scale, 3);
  EXPECT_EQ(std::get<Decimal>(rows->at(0)[0]), (Decimal{15, 1}));
  EXPECT_EQ(std::get<Decimal>(rows->at(0)[1]).units, 700);
}

TEST_F(ReadTest, ReadsInfiniteDatesAndTimestampsAsNull) {
  const auto rows = open()->read_public(
      {"SELECT * FROM (VALUES (DATE 'infinity', TIMESTAMP '-infinity'), (DATE '-infinity', TIMESTAMP 'infinity'))",
       {SqlType::date(), SqlType::timestamp()}});
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2u);
  for (const auto& row : *rows) {
    for (const Value& value : row) EXPECT_EQ(value, Value(Null{}));
  }
}

TEST_F(ReadTest, ReadsNanAndInfiniteReals) {
  const auto rows = open()->read_public({"SELECT 'nan'::DOUBLE, '-inf'::DOUBLE", {SqlType::real(), SqlType::real()}});
  ASSERT_TRUE(rows);
  EXPECT_TRUE(std::isnan(std::get<double>(rows->at(0)[0])));
  EXPECT_EQ(std::get<double>(rows->at(0)[1]), -std::numeric_limits<double>::infinity());
}

TEST_F(ReadTest, SumsThirtyEightDigitsExactly) {
  prepare("big.duckdb", {"CREATE TABLE t(v DECIMAL(38,0))",
                         "INSERT INTO t SELECT 24999999999999999999999999999999999999 FROM range(4)"});
  policy.engine.url = "duckdb:big.duckdb";
  const auto rows = open()->run({"SELECT sum(v) + 3 FROM t", {}, {0}, {}});
  ASSERT_TRUE(rows) << to_line(rows.error());
  EXPECT_EQ(ExactRowsReader(*rows).cell(0, 0), *parse_int128("99999999999999999999999999999999999999"));
}

TEST_F(ReadTest, ReadsCellsOfEveryWidth) {
  const auto rows =
      open()->run({"SELECT CAST(-1 AS TINYINT), CAST(-2 AS SMALLINT), -3, CAST(-4 AS BIGINT), CAST(-5 AS HUGEINT), "
                   "CAST(-0.6 AS DECIMAL(4,1)), CAST(-0.07 AS DECIMAL(9,2)), CAST(-8 AS DECIMAL(18,0)), CAST(-0.9 AS "
                   "DECIMAL(38,1)), "
                   "CAST(10 AS UBIGINT)",
                   {},
                   {0, 0, 0, 0, 0, 1, 2, 0, 1, 0},
                   {}});
  ASSERT_TRUE(rows) << to_line(rows.error());
  const ExactRowsReader reader(*rows);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(reader.cell(0, static_cast<std::size_t>(i)), -(i + 1));
  EXPECT_EQ(reader.cell(0, 9), 10);
}

TEST_F(ReadTest, KeepsKeysAndCellsOfManyChunksTogether) {
  const auto rows =
      open()->run({"SELECT CASE WHEN range = 5 THEN NULL ELSE range END, 'k' || range, range * 3, range FROM "
                   "range(10000) ORDER BY range",
                   {SqlType::integer(), SqlType::text()},
                   {0, 0},
                   {}});
  ASSERT_TRUE(rows) << to_line(rows.error());
  const ExactRowsReader reader(*rows);
  ASSERT_EQ(reader.row_count(), 10000u);
  for (std::size_t i = 0; i < 10000; ++i) {
    EXPECT_EQ(reader.key(i, 0), i == 5 ? Value(Null{}) : number(static_cast<Int128>(i)));
    EXPECT_EQ(reader.key(i, 1), Value(fmt::format("k{}", i)));
    EXPECT_EQ(reader.cell(i, 0), static_cast<Int128>(3 * i));
    EXPECT_EQ(reader.cell(i, 1), static_cast<Int128>(i));
  }
}

TEST_F(ReadTest, GivesNoRowsForNone) {
  const auto rows = open()->run({"SELECT 1, 2 WHERE false", {SqlType::integer()}, {0}, {}});
  ASSERT_TRUE(rows);
  EXPECT_EQ(ExactRowsReader(*rows).row_count(), 0u);
}

TEST_F(ReadTest, HoldsThePrinterToItsWord) {
  const auto engine = open();
  EXPECT_THROW((void)engine->run({"SELECT CAST(NULL AS BIGINT)", {}, {0}, {}}), InvariantBroken);
  EXPECT_THROW((void)engine->run({"SELECT CAST(1 AS DOUBLE)", {}, {0}, {}}), InvariantBroken);
  EXPECT_THROW((void)engine->run({"SELECT 1, 2", {}, {0}, {}}), InvariantBroken);
  EXPECT_THROW((void)engine->run({"SELECT 1, 2", {SqlType::text()}, {0}, {}}), InvariantBroken);
  EXPECT_THROW((void)engine->read_public({"SELECT 0.1::DOUBLE", {SqlType::integer()}}), InvariantBroken);
  EXPECT_TRUE(engine->run({"SELECT 1", {}, {0}, {}}));
}

}  // namespace
}  // namespace tacit
