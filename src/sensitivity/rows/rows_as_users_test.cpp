#include "sensitivity/rows/rows_as_users.hpp"

#include <gtest/gtest.h>

#include "support/rows_world.hpp"

namespace tacit::testing {
namespace {

class RowsAsUsers : public ::testing::Test {
 protected:
  Result<AnalyzedQuery> analyze_as(const std::string& sql, const std::string& neighbour = "add-remove") {
    policies_.push_back(std::make_unique<Policy>(rows_policy(neighbour, catalog_)));
    return analyze_text(sql, catalog_, *policies_.back());
  }
  UsersAnalysis users(const std::string& sql, const std::string& neighbour = "add-remove") {
    const auto analyzed = analyze_as(sql, neighbour);
    EXPECT_TRUE(analyzed.has_value()) << sql << "\n" << (analyzed ? "" : to_line(analyzed.error()));
    if (!analyzed || !std::holds_alternative<UsersAnalysis>(analyzed->model)) {
      ADD_FAILURE() << "not answered by the releases of the users model: " << sql;
      return {};
    }
    EXPECT_EQ(analyzed->neighbours.model, "rows") << sql;
    EXPECT_EQ(analyzed->neighbours.key, "rows/" + neighbour) << sql;
    return analysis_of<UsersAnalysis>(*analyzed);
  }
  std::string refusal(const std::string& sql) {
    const auto analyzed = analyze_as(sql);
    EXPECT_FALSE(analyzed.has_value()) << sql;
    return analyzed ? "" : analyzed.error().what;
  }

  Catalog catalog_ = rows_catalog();
  std::vector<std::unique_ptr<Policy>> policies_;  // typed queries point into them
};

// Precondition 2: one value of each row, in one group, whatever the question.
TEST_F(RowsAsUsers, ARowIsInOneGroupWithOneValue) {
  for (const char* sql : {
           "SELECT MEDIAN(age) FROM visit",
           "SELECT MIN(age), MAX(cost), QUANTILE(score, 0.9) FROM visit",
           "SELECT VAR_POP(age), STDDEV(score) FROM visit",
           "SELECT COUNT(*), COUNT(age), COUNT(DISTINCT wild), SUM(cost), AVG(age), MEDIAN(age) FROM visit",
           "SELECT ward, MEDIAN(age) FROM visit GROUP BY ward",
           "SELECT w.building, MAX(v.age) FROM visit v JOIN ward w ON v.ward = w.name GROUP BY w.building",
           "SELECT wild, COUNT(*), MEDIAN(age) FROM visit GROUP BY wild",
           "SELECT wild, COUNT(*) FROM visit GROUP BY wild",
           "SELECT SUM(wild), AVG(wild_real) FROM visit",
       }) {
    for (const char* neighbour : {"add-remove", "replace"}) {
      const UsersAnalysis analysis = users(sql, neighbour);
      EXPECT_TRUE(analysis.row_is_user && analysis.owner == nullptr) << sql;
      EXPECT_TRUE(analysis.one_row_per_user && analysis.one_row_per_group && analysis.keeps_all_rows) << sql;
      EXPECT_EQ(analysis.groups_per_user, 1) << sql;
      EXPECT_FALSE(analysis.several_groups || analysis.samples_groups || analysis.infers_groups) << sql;
      EXPECT_EQ(analysis.users_per_neighbour, std::string(neighbour) == "replace" ? 2 : 1) << sql;
    }
  }
}

TEST_F(RowsAsUsers, StatedBoundsAreTakenAsTheyAre) {
  const UsersAnalysis stated =
      users("SELECT COUNT(*), SUM(age), AVG(age), COUNT(DISTINCT wild), MEDIAN(age) FROM visit");
  for (const UserAggregate& aggregate : stated.aggregates) {
    EXPECT_TRUE(aggregate.bounds.has_value());
    EXPECT_TRUE(aggregate.facts.has_value()) << "nothing is left out, so that the interval is of the SQL's answer";
    EXPECT_FALSE(aggregate.over_all);
  }
  EXPECT_TRUE(stated.aggregates[1].bounds->hi == 120);
  const UsersAnalysis found = users("SELECT SUM(wild), AVG(wild), VAR_POP(wild_real) FROM visit");
  for (const UserAggregate& aggregate : found.aggregates) EXPECT_FALSE(aggregate.bounds.has_value());
}

TEST_F(RowsAsUsers, JoinsStillGoOnKeysOnly) {
  users("SELECT MEDIAN(v.age) FROM visit v LEFT JOIN ward w ON v.ward = w.name");
  EXPECT_NE(refusal("SELECT MEDIAN(v.age) FROM visit v CROSS JOIN ward w").find("may repeat"), std::string::npos);
  EXPECT_NE(refusal("SELECT MEDIAN(a.age) FROM visit a JOIN visit b ON a.id = b.id").find("over joins of private"),
            std::string::npos);
  catalog_ = rows_catalog(false);
  const auto assumed = analyze_as("SELECT MEDIAN(v.age) FROM visit v JOIN ward w ON v.ward = w.name");
  ASSERT_TRUE(assumed.has_value());
  EXPECT_EQ(assumed->assumed_keys.size(), 1U) << "the public key is checked before the question is charged";
}

TEST_F(RowsAsUsers, RefusesGroupsOfOneRow) {
  users("SELECT id, COUNT(*) FROM visit GROUP BY id");
  catalog_.tables[0].unique_keys = {{"id"}};
  EXPECT_NE(refusal("SELECT id, COUNT(*) FROM visit GROUP BY id").find("a group of its own"), std::string::npos);
  EXPECT_NE(refusal("SELECT n, COUNT(*) FROM (SELECT id AS n FROM visit) AS s GROUP BY n").find("a group of its own"),
            std::string::npos);
}

TEST_F(RowsAsUsers, QuantilesNeedBounds) {
  EXPECT_NE(refusal("SELECT MEDIAN(wild) FROM visit").find("needs bounds"), std::string::npos);
  users("SELECT ANON_MEDIAN(wild, 0, 50) FROM visit");
  EXPECT_EQ(refusal("SELECT MIN(ward) FROM visit").find("people"), std::string::npos);
}

TEST_F(RowsAsUsers, OptionsThatDecideSomethingAreTaken) {
  const std::string with = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(";
  EXPECT_TRUE(users(with + "leftovers = TRUE) wild, COUNT(*) FROM visit GROUP BY wild").leftovers);
  EXPECT_TRUE(
      users(with + "group_selection_strategy = LAPLACE_THRESHOLD) wild, COUNT(*) FROM visit GROUP BY wild").selection ==
      GroupSelection::threshold);
  EXPECT_TRUE(users(with + "bounds_inference = 'race') SUM(wild) FROM visit").aggregates.at(0).inference ==
              BoundsInference::race);
  EXPECT_NE(refusal(with + "leftovers = TRUE) ward, MEDIAN(age) FROM visit GROUP BY ward").find("nothing to gather"),
            std::string::npos);
  EXPECT_NE(refusal(with + "leftovers = TRUE) COUNT(*) FROM visit").find("decides nothing"), std::string::npos);
  EXPECT_NE(refusal(with + "max_rows = 3) MEDIAN(age) FROM visit").find("belongs to the users model"),
            std::string::npos);
}

}  // namespace
}  // namespace tacit::testing
