#include "bench/users_queries.hpp"

#include <gmock/gmock.h>

#include "base/check.hpp"

namespace tacit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::vector<NamedQuery> queries_of(const char* file) {
  const auto text = read_whole_file(std::string(TACIT_SOURCE_DIR "/bench/users/") + file);
  const auto queries = read_named_queries(text.value());
  return queries.value();
}

std::string file(const char* name) {
  return read_whole_file(std::string(TACIT_SOURCE_DIR "/bench/users/") + name).value();
}

TEST(UsersQueries, AreTpchsTwentyTwo) {
  const auto queries = queries_of("tpch22.sql");
  for (int i = 1; i <= 22; ++i) EXPECT_NE(find_query(queries, "q" + std::to_string(i)), nullptr) << i;
  EXPECT_EQ(find_query(queries, "q23"), nullptr);
}

TEST(UsersQueries, HaveAQueryForEveryPublishedFigure) {
  const auto tables = queries_of("tables.sql");
  const auto published = read_published_errors(file("published.csv"));
  ASSERT_TRUE(published);
  EXPECT_EQ(published->size(), 7);
  for (const auto& figure : *published) EXPECT_NE(find_query(tables, figure.query), nullptr) << figure.query;
  const auto races = read_published_races(file("r2t.csv"));
  ASSERT_TRUE(races);
  EXPECT_EQ(races->size(), 10);
  for (const auto& race : *races) EXPECT_NE(find_query(queries_of("r2t.sql"), race.query), nullptr) << race.query;
}

TEST(UsersQueries, ReadPublishedFigures) {
  const auto errors = read_published_errors("heading\nq4,customer,5,6.78e-7,0.0339,5.40e-5\nq1,supplier,1,0,0.5,\n");
  ASSERT_TRUE(errors);
  EXPECT_EQ((*errors)[0].groups, 5);
  EXPECT_EQ((*errors)[0].suppressed, 5.4e-5);
  EXPECT_FALSE((*errors)[1].suppressed);
  const auto races = read_published_races("heading\nq3,customer,2,1,0.5\n");
  ASSERT_TRUE(races);
  EXPECT_THAT((*races)[0].errors, ElementsAre(Pair(0.1, 0.02), Pair(0.8, 0.01), Pair(1.6, 0.005)));
}

TEST(UsersQueries, RefuseLinesThatLackFigures) {
  EXPECT_THAT(read_published_errors("heading\nq4,customer,5\n").error().what, HasSubstr("cannot be read"));
  EXPECT_THAT(read_published_races("heading\nq3,customer,2,1,x\n").error().where, HasSubstr("q3"));
}

TEST(WithOptions, StandBehindTheFirstSelect) {
  EXPECT_EQ(with_options("SELECT COUNT(*) FROM (SELECT 1) t", "delta = 0.1"),
            "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(delta = 0.1) COUNT(*) FROM (SELECT 1) t");
  EXPECT_EQ(with_options("SELECT 1", ""), "SELECT 1");
  EXPECT_THROW(with_options("WITH a AS (SELECT 1) SELECT 1", "x = 1"), InvariantBroken);
}

}  // namespace
}  // namespace tacit
