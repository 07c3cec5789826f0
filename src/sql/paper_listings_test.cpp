// The queries of Wilson et al. 2020 (docs/theory/README.md, "Bibliography"), as they are printed there.
#include <gtest/gtest.h>

#include "sql/bind.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/parse.hpp"
#include "sql/print_relation.hpp"

namespace tacit {
namespace {

CatalogTable table(std::string name, std::vector<std::pair<std::string, SqlType>> columns) {
  CatalogTable result{"main", std::move(name), {}, {}};
  for (auto& [column, type] : columns) result.columns.push_back({std::move(column), type, to_string(type), false});
  return result;
}

const Catalog& catalog() {
  static const Catalog catalog{
      {"main"},
      {table("access_logs", {{"uid", SqlType::integer(64)}, {"browser_agent", SqlType::text()}}),
       table("table1", {{"uid", SqlType::integer(64)}, {"cohort", SqlType::text()}}),
       table("table2", {{"uid", SqlType::integer(64)}, {"val", SqlType::real()}}),
       table("employee", {{"uid", SqlType::integer(64)}, {"dept", SqlType::text()}}),
       table("order", {{"uid", SqlType::integer(64)}})}};
  return catalog;
}

const Policy& policy() {
  static const Policy policy = [] {
    Policy result;
    for (const CatalogTable& stored : catalog().tables) {
      TablePolicy owned;
      owned.name = {"", stored.name};
      owned.model = UsersTable{OwnerColumn{"uid"}};
      result.tables.push_back(std::move(owned));
    }
    return result;
  }();
  return policy;
}

Result<TypedQuery> bind_text(const std::string& sql) {
  TACIT_TRY(const auto tree, parse_sql(sql));
  return bind_query(tree, catalog(), policy());
}

TEST(PaperListings, ASimpleHistogram) {
  const auto query = bind_text(
      "SELECT browser_agent, COUNT(*) AS visits\n"
      "FROM access_logs\n"
      "GROUP BY browser_agent;");
  ASSERT_TRUE(query) << to_line(query.error());
  EXPECT_EQ(query->keys.size(), 1U);
  EXPECT_EQ(query->outputs[1].name, "visits");
}

TEST(PaperListings, AnAnonymizationQuery) {
  const auto query = bind_text(
      "SELECT WITH ANONYMIZATION\n"
      "  T1.cohort, ANON_SUM(T2.val, 0, 1)\n"
      "FROM Table1 T1, Table2 T2 USING(uid)\n"
      "GROUP BY T1.cohort;");
  ASSERT_TRUE(query) << to_line(query.error());
  EXPECT_EQ(print_relation(*query->input, duckdb_dialect()).from,
            "\"main\".\"table1\" AS t1 JOIN \"main\".\"table2\" AS t2 ON (t1.\"uid\" = t2.\"uid\")");
  ASSERT_TRUE(query->aggregates[0].written);
  ASSERT_TRUE(query->aggregates[0].unclamped);
}

TEST(PaperListings, CountsWithBoundsOfATableCalledOrder) {
  const auto query = bind_text(
      "SELECT WITH ANONYMIZATION dept, ANON_COUNT(*, 0, 5) as c\n"
      "FROM Employee E, Order O USING(uid)\n"
      "GROUP BY dept;");
  ASSERT_TRUE(query) << to_line(query.error());
  EXPECT_EQ(print_relation(*query->input, duckdb_dialect()).from,
            "\"main\".\"employee\" AS t1 JOIN \"main\".\"order\" AS t2 ON (t1.\"uid\" = t2.\"uid\")");
  EXPECT_TRUE(query->aggregates[0].written);
  EXPECT_EQ(query->outputs[1].name, "c");
}

// The inner SELECT of the last listing: each user once a browser.
TEST(PaperListings, GroupsOfAUserInASubquery) {
  const auto query = bind_text(
      "SELECT browser_agent, COUNT(DISTINCT uid) AS c FROM (SELECT browser_agent, uid FROM access_logs\n"
      "GROUP BY browser_agent, uid) AS s GROUP BY browser_agent");
  ASSERT_TRUE(query) << to_line(query.error());
  const auto& project = std::get<Project>(query->input->node);
  EXPECT_EQ(std::get<Group>(project.input->node).keys.size(), 2U);
}

TEST(PaperListings, PositionsStayThoseOfTheText) {
  const std::string sql =
      "SELECT WITH ANONYMIZATION ANON_SUM(val, 0, 1) FROM Order O, Table2 T2 USING(uid) WHERE nothing > 1";
  const auto query = bind_text(sql);
  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().position, static_cast<int>(sql.find("nothing")) + 1);
}

}  // namespace
}  // namespace tacit
