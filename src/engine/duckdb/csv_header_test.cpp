#include "engine/duckdb/csv_header.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

using Names = std::vector<std::string>;

TEST(CsvHeader, SplitsNames) {
  EXPECT_EQ(*parse_csv_header("a,b c,d", "f"), (Names{"a", "b c", "d"}));
  EXPECT_EQ(*parse_csv_header("\xEF\xBB\xBF\"a,b\",\"say \"\"hi\"\"\"\r\n", "f"), (Names{"a,b", "say \"hi\""}));
  EXPECT_EQ(*parse_csv_header("a,,b,", "f"), (Names{"a", "", "b", ""}));
  EXPECT_EQ(*parse_csv_header("\"\",x", "f"), (Names{"", "x"}));
}

TEST(CsvHeader, RefusesNoneAndOpenQuotes) {
  EXPECT_FALSE(parse_csv_header("", "f"));
  EXPECT_FALSE(parse_csv_header("\r\n", "f"));
  EXPECT_FALSE(parse_csv_header("\xEF\xBB\xBF", "f"));
  const auto open = parse_csv_header("a,\"b", "folder/file.csv");
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().where, "folder/file.csv");
}

}  // namespace
}  // namespace tacit
