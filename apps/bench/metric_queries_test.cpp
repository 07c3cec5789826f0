#include "bench/metric_queries.hpp"

#include <gmock/gmock.h>

#include "base/check.hpp"

namespace tacit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(NamedQueries, AreReadWithTheirNamesAndWithoutSemicolons) {
  const auto queries = read_named_queries("-- words\n-- name: a\nSELECT 1;\n\n-- name: b\nSELECT 2\nFROM t;\n");
  ASSERT_TRUE(queries);
  ASSERT_EQ(queries->size(), 2);
  EXPECT_EQ((*queries)[0].name, "a");
  EXPECT_EQ((*queries)[0].sql, "SELECT 1");
  EXPECT_EQ((*queries)[1].sql, "SELECT 2\nFROM t");
}

TEST(NamedQueries, RefusesWhatCannotBeToldApart) {
  EXPECT_THAT(read_named_queries("SELECT 1;\n").error().what, HasSubstr("no name"));
  EXPECT_THAT(read_named_queries("-- name: a\n-- name: b\nSELECT 1;\n").error().what, HasSubstr("no statement"));
  EXPECT_THAT(read_named_queries("-- name: a\nSELECT 1;\n-- name: a\nSELECT 1;\n").error().what, HasSubstr("one name"));
}

TEST(NamedQueries, OfTheBenchmarkAreTwentyOne) {
  const auto text = read_whole_file(TACIT_SOURCE_DIR "/bench/metric/queries.sql");
  ASSERT_TRUE(text);
  const auto queries = read_named_queries(*text);
  ASSERT_TRUE(queries);
  EXPECT_EQ(queries->size(), 21);
}

TEST(SplitStatements, LeavesOutCommentsAndKeepsLinesTogether) {
  EXPECT_THAT(split_statements("-- why\nCREATE TABLE a (b INT,\n c INT);\nDROP TABLE a;\n"),
              ElementsAre("CREATE TABLE a (b INT,\n c INT)", "DROP TABLE a"));
}

TEST(WithSchema, NamesTheTablesOfTheFromClauseOnly) {
  EXPECT_EQ(with_schema("SELECT SUM(part) FROM part, nation AS n1, partsupp WHERE n1.n_name = 'part'", "s"),
            "SELECT SUM(part) FROM s.part, s.nation AS n1, s.partsupp WHERE n1.n_name = 'part'");
}

TEST(WithSchema, NamesTheTablesOfSubqueries) {
  EXPECT_EQ(
      with_schema("SELECT n FROM (SELECT EXTRACT(YEAR FROM o_orderdate) AS n FROM orders JOIN part ON 'FROM part' "
                  "= n, nation) AS orders WHERE EXISTS (SELECT * FROM lineitem AS l2)",
                  "s"),
      "SELECT n FROM (SELECT EXTRACT(YEAR FROM o_orderdate) AS n FROM s.orders JOIN s.part ON 'FROM part' = n, "
      "s.nation) AS orders WHERE EXISTS (SELECT * FROM s.lineitem AS l2)");
}

TEST(NamedQueries, KeepTheOptionsWrittenAfterTheName) {
  const auto queries = read_named_queries("-- name: a\n-- options: k = 1\nSELECT 1;\n-- name: b\nSELECT 2;\n");
  ASSERT_TRUE(queries);
  EXPECT_EQ((*queries)[0].options, "k = 1");
  EXPECT_EQ((*queries)[1].options, "");
  EXPECT_THAT(read_named_queries("-- options: k = 1\n").error().what, HasSubstr("no name"));
}

TEST(ReadWholeFile, NamesTheFileThatIsMissing) {
  const auto text = read_whole_file("no/such/file");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().where, "no/such/file");
}

}  // namespace
}  // namespace tacit
