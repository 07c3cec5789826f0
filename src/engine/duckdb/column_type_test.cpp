#include "engine/duckdb/column_type.hpp"

#include <gtest/gtest.h>

namespace tacit::duckdb_engine {
namespace {

TEST(ColumnType, ReadsBackWhatItWrites) {
  for (const SqlType& type :
       {SqlType::boolean(), SqlType::integer(8), SqlType::integer(16), SqlType::integer(32), SqlType::integer(64),
        SqlType::integer(128), SqlType::decimal(1, 0), SqlType::decimal(38, 38), SqlType::real(), SqlType::text(),
        SqlType::date(), SqlType::timestamp()}) {
    EXPECT_EQ(column_type(engine_word(type)), type) << engine_word(type);
  }
}

TEST(ColumnType, KnowsNoOther) {
  for (const char* word : {"", "UHUGEINT", "DECIMAL", "DECIMAL(12,2)[]", "DECIMAL(12,2) NOT", "INTEGER[]", "VARCHAR[]",
                           "TIMESTAMP WITH TIME ZONE", "TIMESTAMP_NS", "ENUM('INTEGER')"}) {
    EXPECT_FALSE(column_type(word)) << word;
  }
}

TEST(ColumnType, WidensUnsignedIntegersAndFloats) {
  EXPECT_EQ(column_type("UTINYINT"), SqlType::integer(16));
  EXPECT_EQ(column_type("USMALLINT"), SqlType::integer(32));
  EXPECT_EQ(column_type("UINTEGER"), SqlType::integer(64));
  EXPECT_EQ(column_type("UBIGINT"), SqlType::integer(128));
  EXPECT_EQ(column_type("FLOAT"), SqlType::real());
}

TEST(ColumnType, CastsOnlyIntoTypesItKnows) {
  ASSERT_TRUE(usable_cast("TIMESTAMP_NS"));
  EXPECT_TRUE(column_type(*usable_cast("TIMESTAMP_NS")));
  EXPECT_FALSE(usable_cast("INTEGER"));
  EXPECT_FALSE(usable_cast("TIMESTAMP WITH TIME ZONE"));
}

}  // namespace
}  // namespace tacit::duckdb_engine
