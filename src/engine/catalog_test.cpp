#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "engine/duckdb/read_catalog.hpp"
#include "engine/engine_fixture.hpp"
#include "support/plain_duckdb.hpp"

namespace tacit {
namespace {

using CatalogTest = EngineTest;

TEST_F(CatalogTest, NamesTypesAndKeys) {
  prepare(
      "shop.duckdb",
      {"CREATE TABLE t(id INTEGER PRIMARY KEY, \"Name\" VARCHAR NOT NULL, b BOOLEAN, t1 TINYINT, s SMALLINT, l BIGINT, "
       "h HUGEINT, d DECIMAL(12,2), w DECIMAL(38,10), r DOUBLE, day DATE, \"at\" TIMESTAMP, UNIQUE(s, \"Name\"))",
       "CREATE SCHEMA \"We ird\"", "CREATE TABLE \"We ird\".\"quo\"\"te\"(\"a b\" INTEGER)",
       "CREATE VIEW v AS SELECT id FROM t"});
  policy.engine.url = "duckdb:shop.duckdb";
  const auto catalog = open()->catalog();
  ASSERT_TRUE(catalog) << to_line(catalog.error());
  EXPECT_EQ(catalog->search_path, std::vector<std::string>{"main"});
  EXPECT_EQ(catalog->tables.size(), 3u);
  const CatalogTable* t = catalog->find_table("", "t");
  ASSERT_NE(t, nullptr);
  const std::vector<std::pair<std::string, SqlType>> expected = {
      {"id", SqlType::integer(32)}, {"Name", SqlType::text()},      {"b", SqlType::boolean()},
      {"t1", SqlType::integer(8)},  {"s", SqlType::integer(16)},    {"l", SqlType::integer(64)},
      {"h", SqlType::integer(128)}, {"d", SqlType::decimal(12, 2)}, {"w", SqlType::decimal(38, 10)},
      {"r", SqlType::real()},       {"day", SqlType::date()},       {"at", SqlType::timestamp()}};
  ASSERT_EQ(t->columns.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(t->columns[i].name, expected[i].first);
    EXPECT_EQ(t->columns[i].type, expected[i].second) << t->columns[i].name;
    EXPECT_EQ(t->columns[i].not_null, i <= 1) << t->columns[i].name;
  }
  EXPECT_EQ(t->columns[7].engine_type, "DECIMAL(12,2)");
  const std::vector<std::vector<std::string>> keys = {{"id"}, {"s", "Name"}};
  EXPECT_EQ(t->unique_keys, keys);
  EXPECT_EQ(t->primary_key, std::vector<std::string>{"id"});
  EXPECT_TRUE(t->foreign_keys.empty());
  ASSERT_NE(catalog->find_table("We ird", "quo\"te"), nullptr);
  EXPECT_NE(catalog->find_table("We ird", "quo\"te")->find_column("a b"), nullptr);
  ASSERT_NE(catalog->find_table("main", "v"), nullptr);
  EXPECT_TRUE(catalog->find_table("main", "v")->unique_keys.empty());
  EXPECT_EQ(catalog->find_table("", "T"), nullptr);
}

TEST_F(CatalogTest, NamesForeignKeysInTheirOrder) {
  prepare("keys.duckdb",
          {"CREATE SCHEMA s", "CREATE TABLE s.p(a INTEGER, b INTEGER, code VARCHAR UNIQUE, PRIMARY KEY (b, a))",
           "CREATE TABLE s.c(x INTEGER, \"Y\" INTEGER, code VARCHAR REFERENCES s.p(code), UNIQUE (x), "
           "FOREIGN KEY (x, \"Y\") REFERENCES s.P(B, a))"});
  policy.engine.url = "duckdb:keys.duckdb";
  const auto catalog = open()->catalog();
  ASSERT_TRUE(catalog) << to_line(catalog.error());
  const CatalogTable* parent = catalog->find_table("s", "p");
  const CatalogTable* child = catalog->find_table("s", "c");
  ASSERT_TRUE(parent != nullptr && child != nullptr);
  const std::vector<std::string> key = {"b", "a"};
  EXPECT_EQ(parent->primary_key, key);
  EXPECT_EQ(parent->unique_keys.size(), 2u);
  EXPECT_TRUE(child->primary_key.empty());
  const std::vector<ForeignKey> foreign = {{{"code"}, "s", "p", {"code"}}, {{"x", "Y"}, "s", "p", {"b", "a"}}};
  EXPECT_THAT(child->foreign_keys, ::testing::UnorderedElementsAreArray(foreign));
}

// DuckDB would look for a function in the database's own schema first.
TEST_F(CatalogTest, BuiltInFunctionsWinOverMacrosOfTheirName) {
  prepare("own.duckdb", {"CREATE TABLE t(a INTEGER)", "INSERT INTO t VALUES (1), (-2)", "CREATE MACRO abs(x) AS 5000",
                         "CREATE MACRO sum(x) AS 5000", "CREATE MACRO \"+\"(x, y) AS 5000",
                         "CREATE VIEW v AS SELECT abs(a) AS own FROM t"});
  policy.engine.url = "duckdb:own.duckdb";
  const auto engine = open();
  ASSERT_TRUE(engine->catalog());
  const auto rows = engine->run({"SELECT sum(abs(a) + 1), (SELECT max(own) FROM main.v) FROM main.t", {}, {0, 0}, {}});
  ASSERT_TRUE(rows) << to_line(rows.error());
  EXPECT_EQ(ExactRowsReader(*rows).cell(0, 0), 5);
  EXPECT_EQ(ExactRowsReader(*rows).cell(0, 1), 5000) << "a view means what its owner meant";
}

// The engine's schema comes first in the search path: a table named like one of its views would not be the one read.
TEST_F(CatalogTest, LeavesOutTablesNamedLikeTheEnginesViews) {
  prepare("names.duckdb", {"CREATE TABLE sqlite_master(a INTEGER)", "CREATE TABLE t(a INTEGER)"});
  policy.engine.url = "duckdb:names.duckdb";
  const auto engine = open();
  for (const auto& catalog : {engine->catalog(), engine->catalog_of({{"", "sqlite_master"}, {"", "t"}})}) {
    ASSERT_TRUE(catalog) << to_line(catalog.error());
    EXPECT_EQ(catalog->find_table("", "sqlite_master"), nullptr);
    EXPECT_NE(catalog->find_table("", "t"), nullptr);
  }
  tacit::testing::PlainDuckDb database;
  for (const auto& row :
       database.rows("SELECT view_name FROM duckdb_views() WHERE internal AND schema_name = 'main'")) {
    EXPECT_TRUE(duckdb_engine::is_name_of_the_engine({"main", row.at(0)})) << row.at(0);
  }
}

// What a question needs is read table by table; it says the same as the whole catalog.
TEST_F(CatalogTest, NamedTablesAreAsInTheWholeCatalog) {
  prepare("named.duckdb",
          {"CREATE SCHEMA s", "CREATE TABLE p(a INTEGER, b DECIMAL(9,2) NOT NULL, w VARCHAR, PRIMARY KEY (a))",
           "CREATE TABLE s.q(b INTEGER, a INTEGER, n VARCHAR COLLATE NOCASE, PRIMARY KEY (a, b))",
           "CREATE TABLE u(a INTEGER, b INTEGER, c INTEGER PRIMARY KEY, UNIQUE (b, a))",
           "CREATE VIEW v AS SELECT p.* FROM p, s.q", "CREATE TABLE \"or\"\"der\"(\"x y\" DATE)"});
  write("people.csv", "id,name\n1,Ann\n");
  policy.engine.url = "duckdb:named.duckdb";
  TablePolicy& people = add_table("people", "people.csv");
  people.columns["id"].type = SqlType::integer();
  people.columns["name"].type = SqlType::text();
  const auto engine = open();
  const auto whole = engine->catalog();
  ASSERT_TRUE(whole) << to_line(whole.error());
  const std::vector<std::vector<TableName>> questions = {
      {{"", "p"}, {"main", "v"}, {"s", "q"}}, {{"", "or\"der"}},           {{"", "u"}, {"", "p"}},
      {{"", "people"}, {"s", "q"}},           {{"", "p"}, {"", "absent"}}, {{"information_schema", "tables"}},
      {{"system", "duckdb_settings"}}};
  for (const auto& names : questions) {
    const auto some = engine->catalog_of(names);
    ASSERT_TRUE(some) << to_line(some.error());
    for (const TableName& name : names) {
      const CatalogTable* a = whole->find_table(name.schema, name.name);
      const CatalogTable* b = some->find_table(name.schema, name.name);
      ASSERT_EQ(a == nullptr, b == nullptr) << to_string(name);
      if (a == nullptr) continue;
      EXPECT_EQ(a->columns, b->columns) << to_string(name);
      const auto as_sets = [](const auto& keys) {
        std::set<std::set<std::string>> sets;
        for (const auto& key : keys) sets.emplace(key.begin(), key.end());
        return sets;
      };
      EXPECT_EQ(as_sets(a->unique_keys), as_sets(b->unique_keys)) << to_string(name);
      EXPECT_THAT(b->primary_key, ::testing::UnorderedElementsAreArray(a->primary_key)) << to_string(name);
    }
  }
}

TEST_F(CatalogTest, KeepsTypesItDoesNotComputeWithUnusable) {
  prepare("odd.duckdb", {"CREATE TABLE t(e ENUM('a', 'b'), tz TIMESTAMPTZ, ns TIMESTAMP_NS, i INTERVAL, l INTEGER[], "
                         "s STRUCT(a INTEGER), u UHUGEINT, bl BLOB, uu UUID, tm TIME)"});
  policy.engine.url = "duckdb:odd.duckdb";
  const auto catalog = open()->catalog();
  ASSERT_TRUE(catalog) << to_line(catalog.error());
  const CatalogTable* t = catalog->find_table("", "t");
  ASSERT_NE(t, nullptr);
  EXPECT_EQ(t->columns.size(), 10u);
  for (const CatalogColumn& column : t->columns) {
    EXPECT_FALSE(column.type) << column.name;
    EXPECT_FALSE(column.engine_type.empty());
  }
}

// Equality that ignores case makes 'Q' or 'q' the key of a group, whichever row comes first.
TEST_F(CatalogTest, RefusesTextWithACollation) {
  prepare("collated.duckdb", {"CREATE TABLE t(plain VARCHAR, nocase VARCHAR COLLATE NOCASE, noaccent VARCHAR COLLATE "
                              "NOACCENT, composed VARCHAR COLLATE NFC, german VARCHAR COLLATE de)",
                              "CREATE VIEW v AS SELECT nocase AS n, plain AS p FROM t"});
  policy.engine.url = "duckdb:collated.duckdb";
  const auto catalog = open()->catalog();
  ASSERT_TRUE(catalog) << to_line(catalog.error());
  const CatalogTable* t = catalog->find_table("", "t");
  ASSERT_NE(t, nullptr);
  for (const CatalogColumn& column : t->columns) {
    EXPECT_EQ(column.type.has_value(), column.name == "plain") << column.name;
  }
  const CatalogTable* v = catalog->find_table("", "v");
  ASSERT_NE(v, nullptr);
  EXPECT_FALSE(v->find_column("n")->type);
  EXPECT_TRUE(v->find_column("p")->type);
}

// Of all that this version of DuckDB knows, alone and combined.
TEST_F(CatalogTest, RefusesTextWithAnyCollation) {
  std::vector<std::string> all;
  for (const auto& row : testing::PlainDuckDb().rows("SELECT collname FROM pragma_collations()")) {
    all.push_back(fmt::format("\"{}\"", row[0]));
    for (const char* first : {"nocase", "noaccent"}) {
      if (row[0] != first) all.push_back(fmt::format("\"{}\".\"{}\"", first, row[0]));
    }
  }
  ASSERT_GT(all.size(), 300U);
  std::string columns = "plain VARCHAR";
  for (std::size_t i = 0; i < all.size(); ++i) columns += fmt::format(", c{} VARCHAR COLLATE {}", i, all[i]);
  prepare("collations.duckdb", {fmt::format("CREATE TABLE t({})", columns)});
  policy.engine.url = "duckdb:collations.duckdb";
  const auto catalog = open()->catalog_of({{"", "t"}});
  ASSERT_TRUE(catalog) << to_line(catalog.error());
  ASSERT_EQ(catalog->tables.size(), 1U);
  const auto& found = catalog->tables[0].columns;
  ASSERT_EQ(found.size(), all.size() + 1);
  EXPECT_TRUE(found[0].type);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_FALSE(found[i + 1].type) << all[i];
}

// What DuckDB's constraints hold for equal is what is read as equal: bytes of text whatever the collation, and both
// zeros.
TEST_F(CatalogTest, ConstraintsCompareWhatIsRead) {
  tacit::testing::PlainDuckDb database;
  database.run("CREATE TABLE p(id VARCHAR COLLATE NOCASE PRIMARY KEY, x DOUBLE UNIQUE)");
  database.run("INSERT INTO p VALUES ('Ann', 0.0), ('ann', 'nan'), ('bob', NULL)");
  EXPECT_TRUE(database.fails("INSERT INTO p VALUES ('eve', CAST('-0.0' AS DOUBLE))"));
  EXPECT_TRUE(database.fails("INSERT INTO p VALUES ('eve', -CAST('nan' AS DOUBLE))"));
  database.run("CREATE TABLE c(who VARCHAR REFERENCES p(id))");
  database.run("INSERT INTO c VALUES ('Ann'), ('ann')");
  EXPECT_TRUE(database.fails("INSERT INTO c VALUES ('ANN')"));
  EXPECT_TRUE(database.fails("CREATE TABLE d(x BIGINT REFERENCES p(x))"));
}

TEST_F(CatalogTest, LeavesOutViewsThatReadFiles) {
  write("people.csv", "a\n1\n");
  prepare("views.duckdb",
          {"CREATE TABLE t(a INTEGER)", "CREATE VIEW file_view AS SELECT * FROM read_csv('" + at("people.csv") + "')"});
  policy.engine.url = "duckdb:views.duckdb";
  const auto engine = open();
  const auto catalog = engine->catalog();
  ASSERT_TRUE(catalog) << to_line(catalog.error());
  EXPECT_NE(catalog->find_table("", "t"), nullptr);
  EXPECT_EQ(catalog->find_table("", "file_view"), nullptr);
  const auto rows = engine->run({"SELECT count(*) FROM file_view", {}, {0}, {}});
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, FailureCode::engine);
}

// The database is attached under a name of ours: its own name must not compete with its schemas.
TEST_F(CatalogTest, ReadsADatabaseNamedLikeItsSchema) {
  prepare("sales.duckdb",
          {"CREATE SCHEMA sales", "CREATE TABLE sales.sales.t(a INTEGER)", "INSERT INTO sales.sales.t VALUES (1)"});
  policy.engine.url = "duckdb:sales.duckdb";
  const auto rows = open()->run({"SELECT count(*) FROM \"sales\".\"t\"", {}, {0}, {}});
  ASSERT_TRUE(rows) << to_line(rows.error());
  EXPECT_EQ(ExactRowsReader(*rows).cell(0, 0), 1);
}

TEST_F(CatalogTest, IsEmptyForAnEmptyDatabase) {
  const auto catalog = open()->catalog();
  ASSERT_TRUE(catalog) << to_line(catalog.error());
  EXPECT_TRUE(catalog->tables.empty());
}

}  // namespace
}  // namespace tacit
