#include "sensitivity/rows/analyze_rows.hpp"

#include <gtest/gtest.h>

#include "support/rows_world.hpp"
#include "support/time_limit.hpp"

namespace tacit::testing {
namespace {

class AnalyzeRows : public ::testing::Test {
 protected:
  AnalyzedQuery accept(const std::string& sql, const std::string& neighbour = "add-remove") {
    policies_.push_back(std::make_unique<Policy>(rows_policy(neighbour, catalog_)));
    auto analyzed = analyze_text(sql, catalog_, *policies_.back());
    EXPECT_TRUE(analyzed.has_value()) << sql << "\n" << (analyzed ? "" : to_line(analyzed.error()));
    return analyzed ? std::move(*analyzed) : AnalyzedQuery{};
  }

  std::string refuse(const std::string& sql) {
    policies_.push_back(std::make_unique<Policy>(rows_policy("add-remove", catalog_)));
    const auto analyzed = analyze_text(sql, catalog_, *policies_.back());
    EXPECT_FALSE(analyzed.has_value()) << sql;
    if (analyzed) return "";
    EXPECT_EQ(analyzed.error().code, FailureCode::refused);
    EXPECT_FALSE(analyzed.error().hint.empty()) << sql;
    return analyzed.error().what;
  }

  // The l1 sensitivity of the first aggregate, as the answer would show it.
  std::string sensitivity(const std::string& sql, const std::string& neighbour) {
    const auto analyzed = accept(sql, neighbour);
    const auto& aggregates = analysis_of<RowsAnalysis>(analyzed).aggregates;
    if (aggregates.empty()) return "";
    const auto& aggregate = aggregates.front();
    return to_string(Decimal{aggregate.l1_sensitivity, aggregate.grid.exponent});
  }

  // That groups are chosen among those of the data, and why, for a question that has no delta.
  bool keys_are_private(const std::string& sql) {
    const auto analyzed = accept(sql);
    const auto* users = std::get_if<UsersAnalysis>(&analyzed.model);
    return users != nullptr && users->private_keys && users->row_is_user && users->without_delta &&
           analyzed.domains.empty();
  }

  Catalog catalog_ = rows_catalog();
  std::vector<std::unique_ptr<Policy>> policies_;  // typed queries point into them
};

TEST_F(AnalyzeRows, SensitivitiesOfTheTable) {
  struct Case {
    const char* select;
    const char* add_remove;
    const char* replace_one_group;
    const char* replace_grouped;
  };
  const Case cases[] = {
      {"COUNT(*)", "1", "1", "2"},
      {"COUNT(age)", "1", "1", "2"},
      {"COUNT(DISTINCT ward)", "1", "1", "2"},
      {"SUM(age)", "120", "120", "240"},
      {"SUM(cost)", "9999.99", "9999.99", "19999.98"},
      {"SUM(delta)", "7", "10", "14"},
      {"SUM(-delta)", "7", "10", "14"},
      {"SUM(delta + 20)", "23", "23", "46"},
      {"AVG(age)", "120", "240", "240"},
      {"AVG(delta)", "10", "20", "20"},
      {"ANON_SUM(wild, -5, 17)", "17", "22", "34"},
      {"SUM(CASE WHEN wild > 0 THEN 1 ELSE 0 END)", "1", "1", "2"},
      {"SUM(age * delta)", "840", "1200", "1680"},
      {"SUM(0 * delta)", "1", "1", "1"},  // a constant is never decided by arithmetic
  };
  for (const auto& test : cases) {
    const std::string one = std::string("SELECT ") + test.select + " FROM visit";
    const std::string grouped = std::string("SELECT ward, ") + test.select + " FROM visit GROUP BY ward";
    EXPECT_EQ(sensitivity(one, "add-remove"), test.add_remove) << one;
    EXPECT_EQ(sensitivity(grouped, "add-remove"), test.add_remove) << grouped;
    EXPECT_EQ(sensitivity(one, "replace"), test.replace_one_group) << one;
    EXPECT_EQ(sensitivity(grouped, "replace"), test.replace_grouped) << grouped;
  }
}

TEST_F(AnalyzeRows, DoublesAreSummedOnAGridOfPowersOfTwo) {
  const auto analyzed = accept("SELECT SUM(score) FROM visit");
  const auto& aggregate = analysis_of<RowsAnalysis>(analyzed).aggregates.at(0);
  EXPECT_EQ(aggregate.grid.base, Grid::Base::binary);
  EXPECT_EQ(aggregate.grid.exponent, 38);
  EXPECT_TRUE(aggregate.lo == -(Int128{3} << 37));
  EXPECT_TRUE(aggregate.hi == (Int128{9} << 36));
  EXPECT_TRUE(aggregate.l1_sensitivity == (Int128{9} << 36));
}

TEST_F(AnalyzeRows, SumsWithStatedBoundsAreTheModelsOwn) {
  const auto own = [&](const std::string& sql) { return std::holds_alternative<RowsAnalysis>(accept(sql).model); };
  EXPECT_FALSE(own("SELECT SUM(wild) FROM visit"));
  EXPECT_FALSE(own("SELECT AVG(wild_real) FROM visit"));
  EXPECT_FALSE(own("SELECT SUM(age + wild) FROM visit"));
  EXPECT_FALSE(own("SELECT SUM(LEAST(wild, 10)) FROM visit"));
  EXPECT_TRUE(own("SELECT SUM(LEAST(GREATEST(wild, 0), 10)) FROM visit"));
  EXPECT_TRUE(own("SELECT COUNT(wild) FROM visit WHERE wild > 3"));
  EXPECT_TRUE(own("SELECT COUNT(DISTINCT wild), AVG(age) FROM visit"));
}

TEST_F(AnalyzeRows, JoinsOnKeysOnly) {
  accept("SELECT COUNT(*) FROM visit v JOIN ward w ON v.ward = w.name");
  accept("SELECT COUNT(*) FROM ward w, visit v WHERE v.ward = w.name AND w.beds > 3");
  accept("SELECT COUNT(*) FROM visit v JOIN ward w ON v.ward = w.name JOIN building b ON w.building = b.id");
  accept("SELECT COUNT(*) FROM building b JOIN ward w ON w.building = b.id JOIN visit v ON v.ward = w.name");
  accept("SELECT COUNT(*) FROM visit v LEFT JOIN ward w ON v.ward = w.name");
  accept("SELECT COUNT(*) FROM visit v JOIN ward w ON w.name = 'icu'");
  accept(
      "SELECT COUNT(*) FROM (SELECT ward AS x FROM visit) v JOIN (SELECT name AS y FROM ward WHERE beds > 2) w ON v.x "
      "= w.y");

  EXPECT_NE(refuse("SELECT COUNT(*) FROM visit v, ward w").find("`ward`"), std::string::npos);
  refuse("SELECT COUNT(*) FROM visit v CROSS JOIN ward w");
  refuse("SELECT COUNT(*) FROM visit v JOIN ward w ON v.age = w.beds");
  refuse("SELECT COUNT(*) FROM visit v JOIN ward w ON v.ward = w.name OR w.beds = 3");
  refuse("SELECT COUNT(*) FROM visit v JOIN ward w ON v.ward <> w.name");
  refuse("SELECT COUNT(*) FROM visit v JOIN ward w ON lower(w.name) = v.ward");
  refuse("SELECT COUNT(*) FROM visit v LEFT JOIN ward w ON w.beds > 2 WHERE v.ward = w.name");
  refuse("SELECT COUNT(*) FROM visit v JOIN (SELECT lower(name) AS y FROM ward) w ON v.ward = w.y");
}

TEST_F(AnalyzeRows, OuterJoinsThatKeepPublicRowsAreRefused) {
  EXPECT_NE(refuse("SELECT w.name, COUNT(*) FROM ward w LEFT JOIN visit v ON v.ward = w.name GROUP BY w.name")
                .find("LEFT JOIN"),
            std::string::npos);
}

TEST_F(AnalyzeRows, PrivateRowsThatMeetAnyNumberOfOthersAreRefused) {
  EXPECT_NE(refuse("SELECT COUNT(*) FROM visit a JOIN visit b ON a.ward = b.ward").find("any number of joined rows"),
            std::string::npos);
  EXPECT_NE(refuse("SELECT COUNT(*) FROM ward").find("public"), std::string::npos);
}

TEST_F(AnalyzeRows, KeysTheEngineDoesNotEnforceAreAssumedAndNamed) {
  catalog_ = rows_catalog(false);
  const auto analyzed =
      accept("SELECT COUNT(*) FROM visit v JOIN ward w ON v.ward = w.name JOIN building b ON w.building = b.id");
  ASSERT_EQ(analyzed.assumed_keys.size(), 2U);
  EXPECT_EQ(analyzed.assumed_keys[0].columns, std::vector<std::string>{"name"});
  catalog_ = rows_catalog(true);
  EXPECT_TRUE(accept("SELECT COUNT(*) FROM visit v JOIN ward w ON v.ward = w.name").assumed_keys.empty());
}

TEST_F(AnalyzeRows, GroupsArePublic) {
  const auto declared = accept("SELECT ward, COUNT(*) FROM visit GROUP BY ward");
  EXPECT_EQ(std::get<ListedKeys>(declared.domains.at(0)).rows.size(), 3U);
  const auto ages = accept("SELECT age / 10, COUNT(*) FROM visit GROUP BY 1");
  EXPECT_EQ(std::get<ListedKeys>(ages.domains.at(0)).rows.size(), 13U);
  const auto months = accept("SELECT EXTRACT(month FROM admitted), COUNT(*) FROM visit GROUP BY 1");
  EXPECT_EQ(std::get<ListedKeys>(months.domains.at(0)).rows.size(), 12U);
  const auto text =
      accept("SELECT CASE WHEN age < 18 THEN 'child' ELSE 'adult' END AS who, COUNT(*) FROM visit GROUP BY who");
  EXPECT_EQ(std::get<ListedKeys>(text.domains.at(0)).rows.size(), 2U);

  EXPECT_TRUE(keys_are_private("SELECT wild, COUNT(*) FROM visit GROUP BY wild"));
  EXPECT_TRUE(keys_are_private("SELECT score, COUNT(*) FROM visit GROUP BY score"));
  EXPECT_TRUE(keys_are_private("SELECT lower(ward), COUNT(*) FROM visit GROUP BY 1"));
  EXPECT_TRUE(keys_are_private("SELECT length(lower(v.ward)), COUNT(*) FROM visit v GROUP BY 1"));
}

TEST_F(AnalyzeRows, GroupsFromAConditionOfTheQuery) {
  const auto listed = accept("SELECT lower(ward), COUNT(*) FROM visit WHERE lower(ward) IN ('b', 'a', 'b') GROUP BY 1");
  EXPECT_EQ(std::get<ListedKeys>(listed.domains.at(0)).rows, (std::vector<std::vector<Value>>{{"b"}, {"a"}}));
  const auto narrowed = accept("SELECT age, COUNT(*) FROM visit WHERE age IN (3, 5) AND age > 1 GROUP BY age");
  EXPECT_EQ(std::get<ListedKeys>(narrowed.domains.at(0)).rows,
            (std::vector<std::vector<Value>>{{Decimal{3, 0}}, {Decimal{5, 0}}}))
      << "not every age of the policy";
  EXPECT_TRUE(keys_are_private(
      "SELECT lower(ward), COUNT(*) FROM visit WHERE lower(ward) IN ('b', 'a') OR age > 3 GROUP BY 1"));
  EXPECT_TRUE(
      keys_are_private("SELECT lower(ward), COUNT(*) FROM visit WHERE lower(ward) IN ('b', upper(ward)) GROUP BY 1"));
  EXPECT_TRUE(
      keys_are_private("SELECT lower(ward), COUNT(*) FROM visit WHERE lower(ward) NOT IN ('b', 'a') GROUP BY 1"));
}

TEST_F(AnalyzeRows, GroupsFromPublicTables) {
  const auto together = accept(
      "SELECT w.building, w.name, COUNT(*) FROM visit v JOIN ward w ON v.ward = w.name WHERE w.beds > 3 AND v.age > 4 "
      "GROUP BY w.building, w.name");
  ASSERT_EQ(together.domains.size(), 1U);
  const auto& keys = std::get<PublicKeys>(together.domains[0]);
  EXPECT_EQ(keys.keys, (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(std::holds_alternative<Filter>(keys.scan->node)) << "public conjuncts narrow the groups";
  EXPECT_FALSE(keys.with_nulls);

  const auto left =
      accept("SELECT w.building, COUNT(*) FROM visit v LEFT JOIN ward w ON v.ward = w.name GROUP BY w.building");
  EXPECT_TRUE(std::get<PublicKeys>(left.domains.at(0)).with_nulls);
  const auto inside = accept(
      "SELECT s.building, COUNT(*) FROM (SELECT w.building FROM visit v JOIN ward w ON v.ward = w.name) s GROUP BY "
      "s.building");
  EXPECT_TRUE(std::holds_alternative<PublicKeys>(inside.domains.at(0)));
  const auto equated = accept("SELECT v.ward, COUNT(*) FROM visit v JOIN ward w ON v.ward = w.name GROUP BY v.ward");
  EXPECT_TRUE(std::holds_alternative<PublicKeys>(equated.domains.at(0)))
      << "an inner join's key lists the public table's values";
  EXPECT_TRUE(
      keys_are_private("SELECT w.beds + v.wild, COUNT(*) FROM visit v JOIN ward w ON v.ward = w.name GROUP BY 1"));
}

TEST_F(AnalyzeRows, PublicTablesAreListedTogetherOnlyWhereTheyAreCompared) {
  const auto linked = accept(
      "SELECT b.city, w.name, COUNT(*) FROM visit v JOIN ward w ON v.ward = w.name JOIN building b ON w.building = "
      "b.id "
      "GROUP BY b.city, w.name");
  EXPECT_EQ(linked.domains.size(), 1U);
  const auto apart = accept(
      "SELECT b.city, w.name, COUNT(*) FROM visit v JOIN ward w ON v.ward = w.name JOIN building b ON v.age = b.id "
      "GROUP BY b.city, w.name");
  EXPECT_EQ(apart.domains.size(), 2U);
}

// Subqueries share their columns' definitions; read as a tree they grow by a factor a level.
TEST_F(AnalyzeRows, NestedSubqueriesCannotGrowWithoutLimit) {
  std::string from = "visit";
  std::string column = "emergency";
  for (int level = 0; level < 12; ++level) {
    std::string repeated = column;
    for (int i = 0; i < 9; ++i) repeated += " OR " + column;
    from = "(SELECT (" + repeated + ") AS x, age FROM " + from + ") AS s";
    column = "x";
  }
  const double start = cpu_seconds();
  EXPECT_NE(refuse("SELECT x, COUNT(*) FROM " + from + " GROUP BY x").find("too large"), std::string::npos);
  refuse("SELECT COUNT(*) FROM " + from + " WHERE x");
  EXPECT_LT(cpu_seconds() - start, time_limit(2));
}

TEST_F(AnalyzeRows, TooManyGroupsAreNeverListed) {
  EXPECT_TRUE(keys_are_private("SELECT COUNT(*) FROM visit GROUP BY age * 1000, age * 1000 + 1"));
}

TEST_F(AnalyzeRows, SumsOfTooManyDecimalPlacesAreRefused) {
  refuse("SELECT ANON_SUM(CAST(cost AS decimal(30,25)), 0, 0.00000001) FROM visit");
  refuse("SELECT ANON_AVG(CAST(cost AS decimal(30,25)), 0, 0.00000001) FROM visit");
}

TEST_F(AnalyzeRows, TypedNullsStandBesideNumbersOfAnyScale) {
  accept("SELECT COUNT(COALESCE(NULL::decimal(38,10), 0.0001)) FROM visit");
  accept("SELECT COUNT(CASE WHEN emergency THEN NULL::decimal(38,38) ELSE 1 END) FROM visit");
  accept("SELECT COUNT(0.0001 % CAST(NULL AS decimal(38,10))) FROM visit");
}

TEST_F(AnalyzeRows, TheNeighbourRelationNamesTheAccount) {
  EXPECT_EQ(accept("SELECT COUNT(*) FROM visit").neighbours.key, "rows/add-remove");
  EXPECT_EQ(accept("SELECT COUNT(*) FROM visit", "replace").neighbours.key, "rows/replace");
}

}  // namespace
}  // namespace tacit::testing
