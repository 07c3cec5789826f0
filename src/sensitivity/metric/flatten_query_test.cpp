#include "sensitivity/metric/flatten_query.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sensitivity/metric/metric_world_testing.hpp"

namespace tacit::testing {
namespace {

using ::testing::HasSubstr;

class FlattenQuery : public ::testing::Test {
 protected:
  FlatQuery flat(const std::string& sql) {
    questions_.push_back(std::make_unique<MetricQuestion>(sql));
    EXPECT_TRUE(questions_.back()->typed.has_value());
    auto flat = flatten_query(*questions_.back()->typed);
    EXPECT_TRUE(flat.has_value()) << (flat ? "" : to_line(flat.error()));
    return flat ? std::move(*flat) : FlatQuery{};
  }
  static std::string refusal(const std::string& sql) { return MetricQuestion(sql).refusal(); }

  std::vector<std::unique_ptr<MetricQuestion>> questions_;
};

TEST_F(FlattenQuery, SubqueriesAreWrittenOut) {
  const FlatQuery query = flat(
      "SELECT SUM(double_x) FROM (SELECT x + x AS double_x, tag FROM item WHERE y > 3) AS s WHERE tag = 'a' AND "
      "double_x < 10");
  ASSERT_EQ(query.roles.size(), 1);
  EXPECT_EQ(query.private_conjuncts.size(), 2);
  EXPECT_TRUE(query.has_public_filter);
  const auto read = private_columns_read(*query.aggregates[0].argument, query.columns);
  ASSERT_EQ(read.size(), 1);
  EXPECT_EQ(read[0]->column->name, "x");
}

TEST_F(FlattenQuery, OnlyPublicConditionsStayInTheRelation) {
  const FlatQuery query = flat(
      "SELECT COUNT(*) FROM item JOIN part ON part_id = part.id WHERE (tag = 'a' AND x > 1) OR (tag = 'b' AND u > 1)");
  const auto* filter = std::get_if<Filter>(&query.relation->node);
  ASSERT_TRUE(filter);
  EXPECT_FALSE(reads_private_cell(*filter->predicate, query.columns));
  EXPECT_EQ(conjuncts(filter->predicate).size(), 2);  // the join, and tag = 'a' OR tag = 'b'
  EXPECT_EQ(query.private_conjuncts.size(), 1);
  EXPECT_EQ(query.shape.equal.size(), 1);
}

TEST_F(FlattenQuery, EveryFromItemIsARoleWithColumnsOfItsOwn) {
  const FlatQuery query = flat("SELECT SUM(a.x * b.x) FROM item a, item b, kind WHERE a.partner = b.id");
  ASSERT_EQ(query.roles.size(), 3);
  EXPECT_EQ(query.roles[0].table, query.roles[1].table);
  EXPECT_FALSE(query.roles[2].metric);
  EXPECT_EQ(query.columns.size(), 8);
  EXPECT_FALSE(query.has_public_filter);
}

TEST_F(FlattenQuery, TheRightSideOfALeftJoinIsOptional) {
  const FlatQuery query = flat(
      "SELECT COUNT(*) FROM item LEFT JOIN (SELECT id AS key, u FROM part WHERE kind_id = 3) AS p ON part_id = key");
  ASSERT_EQ(query.roles.size(), 2);
  EXPECT_FALSE(query.roles[0].optional);
  EXPECT_TRUE(query.roles[1].optional);
  EXPECT_EQ(query.shape.equal.size(), 1);
  EXPECT_EQ(query.shape.constant.size(), 1);
}

TEST_F(FlattenQuery, AConditionOfThePreservedSideSaysNothingAboutTheJoin) {
  const FlatQuery query = flat("SELECT COUNT(*) FROM item LEFT JOIN part ON part_id = part.id AND partner = 3");
  EXPECT_EQ(query.shape.equal.size(), 1);
  EXPECT_TRUE(query.shape.constant.empty());
}

TEST_F(FlattenQuery, RefusesWhatWouldMakeTheRowsPrivate) {
  EXPECT_THAT(refusal("SELECT COUNT(*) FROM item LEFT JOIN part ON part_id = part.id AND u > 3"),
              HasSubstr("LEFT JOIN reads a private column"));
  EXPECT_THAT(refusal("SELECT COUNT(*) FROM item LEFT JOIN (SELECT id FROM part WHERE u > 3) AS p ON part_id = p.id"),
              HasSubstr("LEFT JOIN reads a private column"));
  EXPECT_THAT(
      refusal("SELECT COUNT(*) FROM item LEFT JOIN (SELECT id, u + 1 AS more FROM part) AS p ON part_id = p.id"),
      HasSubstr("computes a column"));
  EXPECT_THAT(refusal("SELECT x, COUNT(*) FROM item GROUP BY x"), HasSubstr("group key reads a private column"));
}

}  // namespace
}  // namespace tacit::testing
