#include "sql/print_relation.hpp"

#include <gtest/gtest.h>

#include "sql/bind.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/parse.hpp"
#include "sql/sample_tables.hpp"

namespace tacit {
namespace {

RelationPtr scan(const std::string& name, std::vector<std::string> columns) {
  auto relation = std::make_shared<Relation>();
  relation->node = Scan{nullptr, "main", name, {}, false};
  for (auto& column : columns) {
    relation->columns.push_back(
        std::make_shared<Column>(Column{std::move(column), SqlType::boolean(), true, {}, {}, {}, ""}));
  }
  return relation;
}

ExprPtr reads(const RelationPtr& relation, std::size_t column) { return make_column(relation->columns[column], 0); }

RelationPtr filter(const RelationPtr& input, ExprPtr predicate) {
  return std::make_shared<Relation>(Relation{Filter{input, std::move(predicate)}, input->columns});
}

RelationPtr join(JoinKind kind, const RelationPtr& left, const RelationPtr& right, ExprPtr condition) {
  auto columns = left->columns;
  columns.insert(columns.end(), right->columns.begin(), right->columns.end());
  return std::make_shared<Relation>(Relation{Join{kind, left, right, std::move(condition)}, std::move(columns)});
}

TEST(PrintRelation, QuotesNames) {
  const auto table = scan("odd \"name", {"Some Column"});
  const auto printed = print_relation(*table, duckdb_dialect());
  EXPECT_EQ(printed.from, "\"main\".\"odd \"\"name\" AS t1");
  EXPECT_EQ(printed.where, "");
  EXPECT_EQ(printed.names.at(table->columns[0].get()), "t1.\"Some Column\"");
  EXPECT_EQ(print_expression(*reads(table, 0), printed, postgres_dialect()), "t1.\"Some Column\"");
}

TEST(PrintRelation, FiltersOnTopBecomeWhere) {
  const auto table = scan("t", {"a", "b"});
  const auto once = print_relation(*filter(table, reads(table, 0)), duckdb_dialect());
  EXPECT_EQ(once.from, "\"main\".\"t\" AS t1");
  EXPECT_EQ(once.where, "t1.\"a\"");
  const auto twice = print_relation(*filter(filter(table, reads(table, 0)), reads(table, 1)), duckdb_dialect());
  EXPECT_EQ(twice.where, "(t1.\"a\") AND (t1.\"b\")");
}

// A filter below LEFT JOIN must not become WHERE: it would drop the rows that the join fills with NULL.
TEST(PrintRelation, FiltersBelowAJoinStayBelow) {
  const auto left = scan("l", {"a"});
  const auto right = scan("r", {"b", "c"});
  const auto filtered = filter(right, reads(right, 1));
  const auto printed = print_relation(*join(JoinKind::left, left, filtered, reads(right, 0)), postgres_dialect());
  EXPECT_EQ(printed.from,
            "\"main\".\"l\" AS t1 LEFT JOIN (SELECT t2.\"b\" AS c1, t2.\"c\" AS c2 FROM \"main\".\"r\" AS t2 WHERE "
            "t2.\"c\") AS t3 ON t3.c1");
  EXPECT_EQ(printed.where, "");
  EXPECT_EQ(printed.names.at(right->columns[0].get()), "t3.c1");
}

TEST(PrintRelation, JoinsOnTheRightAreBracketed) {
  const auto a = scan("a", {"x"});
  const auto b = scan("b", {"y"});
  const auto c = scan("c", {"z"});
  const auto nested = join(JoinKind::left, a, join(JoinKind::inner, b, c, reads(c, 0)), reads(b, 0));
  EXPECT_EQ(print_relation(*nested, duckdb_dialect()).from,
            "\"main\".\"a\" AS t1 LEFT JOIN (\"main\".\"b\" AS t2 JOIN \"main\".\"c\" AS t3 ON t3.\"z\") ON t2.\"y\"");
  const auto chained = join(JoinKind::cross, join(JoinKind::cross, a, b, nullptr), c, nullptr);
  EXPECT_EQ(print_relation(*chained, duckdb_dialect()).from,
            "\"main\".\"a\" AS t1 CROSS JOIN \"main\".\"b\" AS t2 CROSS JOIN \"main\".\"c\" AS t3");
}

TEST(PrintRelation, SubqueriesKeepTheirWhere) {
  const auto tree =
      parse_sql("SELECT SUM(a) FROM (SELECT age AS a, urgent FROM visit WHERE note IS NULL) s WHERE urgent");
  ASSERT_TRUE(tree);
  const Catalog catalog = sample::catalog();
  const Policy policy = sample::policy();
  const auto query = bind_query(*tree, catalog, policy);
  ASSERT_TRUE(query);
  const auto printed = print_relation(*query->input, duckdb_dialect());
  EXPECT_EQ(
      printed.from,
      "(SELECT t1.\"age\" AS c1, t1.\"urgent\" AS c2 FROM \"main\".\"visit\" AS t1 WHERE (t1.\"note\" IS NULL)) AS t2");
  EXPECT_EQ(printed.where, "t2.c2");
}

// NOT IN prints a plain right side for each of its three conditions; nested ones must not multiply.
TEST(PrintRelation, NestedNotInStaysSmall) {
  std::string sql = "SELECT COUNT(*) FROM visit WHERE id NOT IN (SELECT 1 FROM region)";
  for (int level = 0; level < 28; ++level) {
    sql = "SELECT COUNT(*) FROM visit WHERE id NOT IN (SELECT id FROM visit" + sql.substr(sql.find(" WHERE")) + ")";
  }
  const auto tree = parse_sql(sql);
  ASSERT_TRUE(tree) << to_line(tree.error());
  const Catalog catalog = sample::catalog();
  const Policy policy = sample::policy();
  const auto query = bind_query(*tree, catalog, policy);
  ASSERT_TRUE(query) << to_line(query.error());
  EXPECT_LT(print_relation(*query->input, postgres_dialect()).where.size(), 10'000U);
}

TEST(ScansOf, LeftToRight) {
  const auto a = scan("a", {"x"});
  const auto b = scan("b", {"y"});
  const auto both = filter(join(JoinKind::cross, b, filter(a, reads(a, 0)), nullptr), reads(b, 0));
  const auto scans = scans_of(*both);
  ASSERT_EQ(scans.size(), 2U);
  EXPECT_EQ(scans[0], b.get());
  EXPECT_EQ(scans[1], a.get());
}

}  // namespace
}  // namespace tacit
