#include <fmt/format.h>
#include <gmock/gmock.h>

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

// DuckDB looks for a function in the database's own schema first.
TEST_F(CatalogTest, RefusesMacrosThatShadowFunctions) {
  prepare("own.duckdb", {"CREATE TABLE t(a INTEGER)", "CREATE MACRO twice(x) AS x + x"});
  policy.engine.url = "duckdb:own.duckdb";
  EXPECT_TRUE(open()->catalog()) << "a macro of another name changes nothing";
  for (const char* name : {"abs", "sum", "count", "coalesce_it", "ln"}) {
    prepare("own.duckdb", {fmt::format("CREATE OR REPLACE MACRO {}(x) AS x", name)});
    const auto catalog = open()->catalog();
    if (std::string(name) == "coalesce_it") {
      EXPECT_TRUE(catalog);
      continue;
    }
    ASSERT_FALSE(catalog) << name;
    EXPECT_NE(catalog.error().what.find(name), std::string::npos);
    prepare("own.duckdb", {fmt::format("DROP MACRO {}", name)});
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
