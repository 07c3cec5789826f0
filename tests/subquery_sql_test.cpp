// Subqueries that aggregate and subqueries in WHERE, printed and run by both engines: the same rows on both, those that
// SQL means, and no error whatever is stored.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sql/bind.hpp"
#include "sql/dialects/dialects.hpp"
#include "sql/parse.hpp"
#include "sql/print_expression.hpp"
#include "sql/print_relation.hpp"
#include "totality/engine.hpp"

namespace tacit::totality {
namespace {

CatalogColumn column(std::string name, SqlType type) { return {std::move(name), type, to_string(type), false}; }

Catalog world_catalog() {
  Catalog catalog;
  catalog.search_path = {"main"};
  catalog.tables.push_back(
      {"main",
       "item",
       {column("id", SqlType::integer(64)), column("who", SqlType::integer(32)), column("big", SqlType::integer(64)),
        column("cost", SqlType::decimal(12, 2)), column("wide", SqlType::decimal(38, 3)), column("x", SqlType::real()),
        column("free", SqlType::real()), column("day", SqlType::date()), column("word", SqlType::text())},
       {{"id"}}});
  catalog.tables.push_back(
      {"main", "person", {column("id", SqlType::integer(32)), column("town", SqlType::text())}, {{"id"}}});
  catalog.tables.push_back({"main", "order", {column("who", SqlType::integer(32))}, {}});
  return catalog;
}

Policy world_policy() {
  Policy policy;
  for (const char* name : {"item", "person", "order"}) {
    TablePolicy table;
    table.name = {"", name};
    table.model = RowsTable{};
    if (table.name.name == "item") {
      table.columns["x"].min = -1000.0;
      table.columns["x"].max = 1000.0;
    }
    policy.tables.push_back(std::move(table));
  }
  return policy;
}

class SubquerySql : public testing::TestWithParam<const Dialect*> {
 protected:
  void SetUp() override {
    engine_ = new_engine(*GetParam());
    if (GetParam() == &postgres_dialect()) run("CREATE SCHEMA IF NOT EXISTS main");
    run("CREATE TABLE main.person (id INTEGER, town TEXT)");
    run("CREATE TABLE main.\"order\" (who INTEGER)");
    run("CREATE TABLE main.item (id BIGINT, who INTEGER, big BIGINT, cost DECIMAL(12,2), wide DECIMAL(38,3), "
        "x DOUBLE PRECISION, free DOUBLE PRECISION, day DATE, word TEXT)");
    run("INSERT INTO main.person VALUES (1, 'a'), (2, 'b'), (3, 'a'), (NULL, 'c')");
    run("INSERT INTO main.\"order\" VALUES (1), (1), (9)");
    run("INSERT INTO main.item VALUES "
        "(1, 1, 5, 1.25, 1.5, 0.5, 0.0, DATE '2020-01-02', 'b'), "
        "(2, 1, 7, 2.50, 2.5, 1.5, '-0.0', DATE '2020-01-01', 'B'), "
        "(3, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL), "
        "(4, 3, 9223372036854775807, 9999999999.99, 99999999999999999999999999999999999.999, 'Infinity', 'NaN', "
        "DATE '2020-01-03', 'z'), "
        "(5, 3, 9223372036854775807, 9999999999.99, 99999999999999999999999999999999999.999, 'NaN', 1e308, "
        "DATE '2020-01-04', 'é'), "
        "(6, NULL, -9223372036854775807, -1.00, -3.000, -1e300, -1e308, DATE '2020-01-05', '')");
  }

  void run(const std::string& sql) {
    const auto answer = engine_->ask(sql);
    ASSERT_EQ(answer.error, "") << sql;
  }

  // Every row of FROM and WHERE as "a|b", sorted; doubles with two digits after the point.
  std::vector<std::string> rows(const std::string& from_and_where) {
    const std::string query = "SELECT COUNT(*) FROM " + from_and_where;
    const auto tree = parse_sql(query);
    if (!tree) return {to_line(tree.error())};
    const Catalog catalog = world_catalog();
    const Policy policy = world_policy();
    const auto bound = bind_query(*tree, catalog, policy);
    if (!bound) return {to_line(bound.error())};
    const auto printed = print_relation(*bound->input, *GetParam());
    std::string list;
    for (const ColumnPtr& shown : bound->input->columns) {
      const std::string name = printed.names.at(shown.get());
      const bool real = shown->type.kind == TypeKind::real;
      list += list.empty() ? "" : ", ";
      list += real ? fmt::format("CAST({} AS DECIMAL(38,2))", name) : name;
    }
    const std::string where = printed.where.empty() ? "" : " WHERE " + printed.where;
    const std::string sql = fmt::format("SELECT {} FROM {}{}", list, printed.from, where);
    const auto answer = engine_->ask(sql);
    EXPECT_EQ(answer.error, "") << sql;
    std::vector<std::string> texts;
    for (const auto& row : answer.cells) {
      std::string text;
      for (const auto& cell : row) text += (text.empty() ? "" : "|") + cell.value_or("NULL");
      texts.push_back(std::move(text));
    }
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  using Rows = std::vector<std::string>;
  std::unique_ptr<Engine> engine_;
};

TEST_P(SubquerySql, CountsAreThoseOfSql) {
  EXPECT_EQ(rows("(SELECT who, COUNT(*), COUNT(big), COUNT(DISTINCT big) FROM item GROUP BY who) s"),
            (Rows{"1|2|2|2", "2|1|0|0", "3|2|2|1", "NULL|1|1|1"}));
  EXPECT_EQ(rows("(SELECT COUNT(*), SUM(big) FROM item WHERE id > 100) s"), (Rows{"0|NULL"}));
  EXPECT_EQ(rows("(SELECT who FROM item WHERE id > 100 GROUP BY who) s"), (Rows{}));
  EXPECT_EQ(rows("(SELECT 1 AS one FROM item WHERE id > 100 HAVING TRUE) s"), (Rows{"1"}));
}

TEST_P(SubquerySql, SumsAreExactAndEndAtEighteenDigits) {
  EXPECT_EQ(
      rows("(SELECT who, SUM(big) AS b, SUM(cost) AS c FROM item GROUP BY who) s"),
      (Rows{"1|12|3.75", "2|NULL|NULL", "3|999999999999999999|19999999999.98", "NULL|-999999999999999999|-1.00"}));
  EXPECT_EQ(rows("(SELECT who, SUM(wide) AS w FROM item GROUP BY who HAVING who IS NOT NULL) s"),
            (Rows{"1|4.000", "2|NULL", "3|999999999999999.999"}));
  EXPECT_EQ(rows("(SELECT who, SUM(big) * 2 + COUNT(*) AS b FROM item GROUP BY who HAVING SUM(big) < 100) s"),
            (Rows{"1|26", "NULL|-1999999999999999997"}));
}

TEST_P(SubquerySql, DoublesAreAddedUpInSteps) {
  EXPECT_EQ(rows("(SELECT who, SUM(x), AVG(x) FROM item GROUP BY who) s"),
            (Rows{"1|2.00|1.00", "2|NULL|NULL", "3|1000.00|1000.00", "NULL|-1000.00|-1000.00"}));
}

TEST_P(SubquerySql, AveragesDivideTheExactSum) {
  EXPECT_EQ(rows("(SELECT who, AVG(big), AVG(cost), AVG(wide) FROM item WHERE who < 3 GROUP BY who) s"),
            (Rows{"1|6.00|1.88|2.00", "2|NULL|NULL|NULL"}));
}

TEST_P(SubquerySql, TheLeastAndGreatestOfEveryType) {
  EXPECT_EQ(rows("(SELECT who, MIN(day), MAX(word), MIN(word), MAX(cost) FROM item GROUP BY who) s"),
            (Rows{"1|2020-01-01|b|B|2.50", "2|NULL|NULL|NULL|NULL", "3|2020-01-03|é|z|9999999999.99",
                  "NULL|2020-01-05|||-1.00"}));
  EXPECT_EQ(rows("(SELECT who, MIN(free), MAX(x) FROM item GROUP BY who) s"),
            (Rows{"1|0.00|1.50", "2|NULL|NULL", "3|NULL|1000.00", "NULL|NULL|-1000.00"}));
}

TEST_P(SubquerySql, DistinctRows) {
  EXPECT_EQ(rows("(SELECT DISTINCT town FROM person) s"), (Rows{"a", "b", "c"}));
  EXPECT_EQ(rows("(SELECT DISTINCT COUNT(*) AS n FROM item GROUP BY who) s"), (Rows{"1", "2"}));
  EXPECT_EQ(rows("(SELECT free FROM item WHERE who = 1 GROUP BY free) s"), (Rows{"0.00"}));
}

TEST_P(SubquerySql, ExistsAndItsNegation) {
  EXPECT_EQ(rows("person p WHERE EXISTS (SELECT * FROM item i WHERE i.who = p.id AND i.big > 5)"),
            (Rows{"1|a", "3|a"}));
  EXPECT_EQ(rows("person p WHERE NOT EXISTS (SELECT 1 FROM item i WHERE i.who = p.id AND i.big > 5)"),
            (Rows{"2|b", "NULL|c"}));
  EXPECT_EQ(rows("person p WHERE EXISTS (SELECT 1 FROM item)"), (Rows{"1|a", "2|b", "3|a", "NULL|c"}));
  EXPECT_EQ(rows("person p WHERE NOT EXISTS (SELECT 1 FROM item) AND town = 'a'"), (Rows{}));
  // A condition on the row outside alone; unknown is not true.
  EXPECT_EQ(rows("person p WHERE EXISTS (SELECT 1 FROM item i WHERE p.id > 1 AND i.big > 5)"), (Rows{"2|b", "3|a"}));
  EXPECT_EQ(rows("person p WHERE NOT EXISTS (SELECT 1 FROM item i WHERE p.id > 1)"), (Rows{"1|a", "NULL|c"}));
  EXPECT_EQ(rows("person p WHERE NOT EXISTS (SELECT 1 FROM item i WHERE p.id > 1 AND i.id > 100)"),
            (Rows{"1|a", "2|b", "3|a", "NULL|c"}));
}

TEST_P(SubquerySql, MembershipKnowsNull) {
  EXPECT_EQ(rows("person WHERE id IN (SELECT who FROM item WHERE id < 4)"), (Rows{"1|a", "2|b"}));
  EXPECT_EQ(rows("person WHERE id NOT IN (SELECT who FROM \"order\")"), (Rows{"2|b", "3|a"}));
  EXPECT_EQ(rows("person WHERE id NOT IN (SELECT who FROM item WHERE id IN (1, 6))"), (Rows{})) << "a NULL in the list";
  EXPECT_EQ(rows("person WHERE id NOT IN (SELECT who FROM item WHERE id > 100)"), (Rows{"1|a", "2|b", "3|a", "NULL|c"}))
      << "an empty list";
  EXPECT_EQ(rows("person p WHERE town NOT IN (SELECT q.town FROM person q WHERE q.id <> p.id)"),
            (Rows{"2|b", "NULL|c"}));
  EXPECT_EQ(rows("person WHERE id = ANY (SELECT who FROM item GROUP BY who HAVING COUNT(*) > 1)"),
            (Rows{"1|a", "3|a"}));
  EXPECT_EQ(rows("person WHERE id NOT IN (SELECT who FROM item WHERE who > 0 GROUP BY who HAVING COUNT(*) > 1)"),
            (Rows{"2|b"}));
  EXPECT_EQ(rows("person WHERE id <> ALL (SELECT who FROM \"order\")"), (Rows{"2|b", "3|a"}));
  EXPECT_EQ(rows("person WHERE id IS NOT NULL AND id NOT IN (SELECT who FROM item WHERE who IS NOT NULL AND id > 2)"),
            (Rows{"1|a"}));
  EXPECT_EQ(rows("person WHERE id IS NOT NULL AND id NOT IN (SELECT p.id FROM \"order\" o LEFT JOIN person p ON p.id = "
                 "o.who AND p.id IS NOT NULL)"),
            (Rows{}))
      << "a NULL of the LEFT JOIN";
}

TEST_P(SubquerySql, BelowJoinsAndInsideEachOther) {
  EXPECT_EQ(rows("\"order\" o LEFT JOIN (SELECT id, town FROM person p WHERE NOT EXISTS (SELECT 1 FROM item i "
                 "WHERE i.who = p.id AND i.word IS NULL)) s ON s.id = o.who"),
            (Rows{"1|1|a", "1|1|a", "9|NULL|NULL"}));
  EXPECT_EQ(rows("person p WHERE EXISTS (SELECT 1 FROM item i WHERE i.who = p.id AND i.who IN (SELECT who FROM "
                 "\"order\" o WHERE o.who < i.big))"),
            (Rows{"1|a"}));
  EXPECT_EQ(rows("(SELECT town, COUNT(*) FROM person WHERE id IN (SELECT who FROM item) GROUP BY town) s"),
            (Rows{"a|2", "b|1"}));
}

TEST_P(SubquerySql, CommaJoinsWithUsingAndReservedNames) {
  EXPECT_EQ(rows("(SELECT i.id FROM item i, Order o USING(who)) s"), (Rows{"1", "1", "2", "2"}));
  EXPECT_EQ(rows("Order"), (Rows{"1", "1", "9"}));
}

INSTANTIATE_TEST_SUITE_P(EveryEngine, SubquerySql, testing::ValuesIn(all_dialects()),
                         [](const auto& info) { return name_of(*info.param); });

}  // namespace
}  // namespace tacit::totality
