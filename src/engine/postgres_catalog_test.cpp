#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/postgres_fixture.hpp"

namespace tacit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Key = std::vector<std::string>;

class PostgresCatalog : public PostgresTest {
 protected:
  Catalog catalog() const {
    const auto engine = open();
    auto catalog = engine->catalog();
    if (!catalog) throw std::runtime_error(to_line(catalog.error()));
    return *catalog;
  }
};

std::vector<std::string> names(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const auto& table : catalog.tables) names.push_back(table.schema + "." + table.name);
  return names;
}

TEST_F(PostgresCatalog, MapsEveryUsableType) {
  sql({"CREATE EXTENSION citext", "CREATE TYPE mood AS ENUM ('sad', 'glad')",
       "CREATE DOMAIN pence AS int CHECK (VALUE > 0)", "CREATE DOMAIN price AS numeric(12,2)",
       "CREATE DOMAIN net_price AS price", "CREATE DOMAIN loose AS numeric", "CREATE DOMAIN moment AS timestamptz",
       "CREATE DOMAIN code AS char(3)",
       "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
       "CREATE TABLE t (a int2, b int4 NOT NULL, c int8, d numeric(12,2), e numeric(38,38), f numeric, g "
       "numeric(39,0), "
       "h numeric(3,-2), i numeric(2,4), j float4, k float8, l bool, m text, n varchar(10), o char(4), p mood, q uuid, "
       "r citext, s name, t date, u timestamp, v timestamptz, w pence, x price, y net_price, z loose, aa moment, ab "
       "code, "
       "ac text COLLATE nocase, ad text COLLATE \"C\", ae json, af int[], ag interval, ah bytea, ai money, aj inet)"});
  const Catalog found = catalog();
  const CatalogTable* table = found.find_table("", "t");
  ASSERT_NE(table, nullptr);
  const auto check = [&](const std::string& name, std::optional<SqlType> type, const std::string& read_as = "",
                         bool needs_digits = false) {
    const CatalogColumn* column = table->find_column(name);
    ASSERT_NE(column, nullptr) << name;
    EXPECT_EQ(column->type, type) << name;
    EXPECT_EQ(column->read_as, read_as) << name;
    EXPECT_EQ(column->needs_declared_digits, needs_digits) << name;
    EXPECT_EQ(column->not_null, name == "b") << name;
  };
  check("a", SqlType::integer(16));
  check("b", SqlType::integer(32));
  check("c", SqlType::integer(64));
  check("d", SqlType::decimal(12, 2));
  check("e", SqlType::decimal(38, 38));
  check("f", std::nullopt, "", true);
  check("g", std::nullopt, "", true);
  check("h", SqlType::decimal(5, 0));
  check("i", SqlType::decimal(4, 4));
  check("j", SqlType::real());
  check("k", SqlType::real());
  check("l", SqlType::boolean());
  check("m", SqlType::text());
  check("n", SqlType::text());
  check("o", SqlType::text(), "CAST({} AS TEXT)");
  check("p", SqlType::text(), "CAST({} AS TEXT)");
  check("q", SqlType::text(), "CAST({} AS TEXT)");
  check("r", SqlType::text(), "CAST({} AS TEXT)");
  check("s", SqlType::text(), "(CAST({} AS TEXT) COLLATE \"C\")");
  check("t", SqlType::date());
  check("u", SqlType::timestamp());
  check("v", SqlType::timestamp(), "({} AT TIME ZONE 'UTC')");
  check("w", SqlType::integer(32), "CAST({} AS INTEGER)");
  check("x", SqlType::decimal(12, 2), "CAST({} AS NUMERIC)");
  check("y", SqlType::decimal(12, 2), "CAST({} AS NUMERIC)");
  check("z", std::nullopt, "CAST({} AS NUMERIC)", true);
  check("aa", SqlType::timestamp(), "({} AT TIME ZONE 'UTC')");
  check("ab", SqlType::text(), "CAST({} AS TEXT)");
  check("ac", SqlType::text(), "({} COLLATE \"C\")");
  check("ad", SqlType::text(), "({} COLLATE \"C\")");
  for (const char* name : {"ae", "af", "ag", "ah", "ai", "aj"}) check(name, std::nullopt);
  EXPECT_EQ(table->find_column("d")->engine_type, "numeric(12,2)");
  EXPECT_EQ(table->find_column("y")->engine_type, "public.net_price");
}

TEST_F(PostgresCatalog, ReadsEveryColumnAsItsPatternSays) {
  sql({"CREATE EXTENSION citext", "CREATE TYPE mood AS ENUM ('sad', 'glad')", "CREATE DOMAIN code AS char(3)",
       "CREATE DOMAIN price AS numeric(12,2)", "CREATE DOMAIN place AS uuid",
       "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
       "CREATE TABLE t (a char(4), b mood, c uuid, d citext, e name, f timestamptz, g code, h price, i place, "
       "j text COLLATE nocase)",
       "INSERT INTO t VALUES ('x', 'glad', '00000000-0000-0000-0000-00000000000f', 'Ab', 'n', 'infinity', 'yz', 1.5, "
       "'00000000-0000-0000-0000-00000000000f', 'A'), (NULL, NULL, NULL, 'aB', NULL, '294276-12-31 "
       "23:59:59.999999+00', "
       "NULL, 'NaN', NULL, 'a'), (NULL, NULL, NULL, NULL, NULL, '4714-11-24 00:00:00+00 BC', NULL, NULL, NULL, NULL)"});
  const auto engine = open();
  const auto found = engine->catalog();
  ASSERT_TRUE(found);
  for (const CatalogColumn& column : found->find_table("public", "t")->columns) {
    std::string read = column.read_as.empty() ? "{}" : column.read_as;
    read.replace(read.find("{}"), 2, "\"" + column.name + "\"");
    const auto rows = engine->read_public({"SELECT " + read + ", count(*) FROM public.t GROUP BY 1 ORDER BY 2 DESC, 1",
                                           {*column.type, SqlType::integer()}});
    ASSERT_TRUE(rows) << column.name << to_line(rows.error());
    EXPECT_GE(rows->size(), 2U);
    EXPECT_EQ(rows->size() == 3, column.name == "d" || column.name == "f" || column.name == "j" || column.name == "h");
    const bool is_padded = column.name == "a" || column.name == "g";
    EXPECT_TRUE(!is_padded || std::get<std::string>(rows->at(1).at(0)).back() != ' ');
  }
}

TEST_F(PostgresCatalog, ListsEveryKindOfTableButTemporaryAndSystemOnesAndPartitions) {
  sql({"CREATE EXTENSION postgres_fdw", "CREATE SERVER s FOREIGN DATA WRAPPER postgres_fdw",
       "CREATE TABLE plain (a int)", "CREATE VIEW looked AS SELECT a FROM plain",
       "CREATE MATERIALIZED VIEW kept AS SELECT a FROM plain", "CREATE TABLE parted (a int) PARTITION BY LIST (a)",
       "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1)",
       "CREATE FOREIGN TABLE far (a int, b text) SERVER s", "CREATE TABLE nothing ()",
       "CREATE UNLOGGED TABLE quick (a int)"});
  EXPECT_THAT(names(catalog()), ElementsAre("public.far", "public.kept", "public.looked", "public.nothing",
                                            "public.parted", "public.plain", "public.quick"));
  EXPECT_EQ(catalog().find_table("", "far")->find_column("b")->read_as, "({} COLLATE \"C\")");
}

TEST_F(PostgresCatalog, ListsWhatTheRoleMayRead) {
  const std::string role = make_role();
  sql({"CREATE SCHEMA closed", "CREATE TABLE closed.t (a int)", "GRANT SELECT ON closed.t TO " + role,
       "CREATE TABLE secret (a int)", "CREATE TABLE part (a int UNIQUE, b int, c int, UNIQUE (a, b))",
       "GRANT SELECT (a, c) ON part TO " + role, "CREATE TABLE whole (a int)", "GRANT SELECT ON whole TO " + role});
  policy.engine.url = url_as(role);
  const Catalog found = catalog();
  EXPECT_THAT(names(found), ElementsAre("closed.t", "public.part", "public.secret", "public.whole"));
  for (const CatalogTable& table : found.tables) {
    const bool is_open = table.name == "part" || table.name == "whole";
    EXPECT_EQ(table.access, is_open ? TableAccess::open : TableAccess::denied);
    EXPECT_EQ(is_open, !table.columns.empty());
  }
  const CatalogTable* part = found.find_table("", "part");
  ASSERT_EQ(part->columns.size(), 2U);
  EXPECT_EQ(part->columns[1].name, "c");
  EXPECT_THAT(part->unique_keys, ElementsAre(Key{"a"}));
}

TEST_F(PostgresCatalog, KnowsWhichTablesCanBeReadWithoutTheirChildren) {
  sql({"CREATE TABLE alone (a int)", "CREATE TABLE parent (a int)", "CREATE TABLE child () INHERITS (parent)",
       "CREATE TABLE parted (a int) PARTITION BY LIST (a)", "CREATE VIEW seen AS SELECT * FROM alone"});
  for (const CatalogTable& table : catalog().tables) {
    EXPECT_EQ(table.reads_only_itself, table.name == "alone" || table.name == "child") << table.name;
  }
}

TEST_F(PostgresCatalog, KnowsTheKeysThatTheServerEnforces) {
  sql(
      {"CREATE TABLE t (id int PRIMARY KEY, a int, b int, c int, d int, e text, UNIQUE (b, a), "
       "UNIQUE (c) DEFERRABLE INITIALLY IMMEDIATE)",
       "CREATE UNIQUE INDEX ON t (d) WHERE d > 0", "CREATE UNIQUE INDEX ON t (lower(e))",
       "CREATE UNIQUE INDEX ON t (d) INCLUDE (a)", "CREATE UNIQUE INDEX ON t (e text_pattern_ops)",
       "CREATE INDEX ON t (a)", "ALTER TABLE t ADD UNIQUE NULLS NOT DISTINCT (c, d)"});
  const Catalog found = catalog();
  const CatalogTable* table = found.find_table("", "t");
  EXPECT_THAT(table->unique_keys, ElementsAre(Key{"b", "a"}, Key{"c", "d"}, Key{"d"}, Key{"id"}));
  EXPECT_THAT(table->primary_key, ElementsAre("id"));
}

TEST_F(PostgresCatalog, TrustsNoConstraintThatSomeRowsMayBreak) {
  sql({"CREATE TABLE parent (id int PRIMARY KEY, a int NOT NULL)", "CREATE TABLE child () INHERITS (parent)",
       "CREATE TABLE parted (id int PRIMARY KEY, a int NOT NULL) PARTITION BY LIST (id)",
       "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1)", "CREATE EXTENSION postgres_fdw",
       "CREATE SERVER s FOREIGN DATA WRAPPER postgres_fdw", "CREATE FOREIGN TABLE far (a int NOT NULL) SERVER s",
       "CREATE TABLE mixed (id int, a int NOT NULL) PARTITION BY LIST (id)",
       "CREATE TABLE mixed_1 PARTITION OF mixed FOR VALUES IN (1) PARTITION BY LIST (id)",
       "CREATE FOREIGN TABLE mixed_2 PARTITION OF mixed_1 FOR VALUES IN (1) SERVER s"});
  const Catalog found = catalog();
  EXPECT_THAT(found.find_table("", "parent")->unique_keys, IsEmpty());
  EXPECT_THAT(found.find_table("", "parent")->primary_key, IsEmpty());
  EXPECT_FALSE(found.find_table("", "parent")->find_column("a")->not_null);
  EXPECT_TRUE(found.find_table("", "child")->find_column("a")->not_null);
  EXPECT_THAT(found.find_table("", "parted")->primary_key, ElementsAre("id"));
  EXPECT_TRUE(found.find_table("", "parted")->find_column("a")->not_null);
  EXPECT_FALSE(found.find_table("", "far")->find_column("a")->not_null);
  EXPECT_FALSE(found.find_table("", "mixed")->find_column("a")->not_null);
}

TEST_F(PostgresCatalog, KnowsTheForeignKeysThatTheServerEnforces) {
  sql({"CREATE SCHEMA other", "CREATE TABLE other.p (x int, y int, PRIMARY KEY (x, y))",
       "CREATE TABLE q (x int PRIMARY KEY)",
       "CREATE TABLE t (a int, b int, c int REFERENCES q, d int, e int REFERENCES q, "
       "FOREIGN KEY (b, a) REFERENCES other.p (x, y))",
       "ALTER TABLE t ADD FOREIGN KEY (d) REFERENCES q NOT VALID",
       "ALTER TABLE t ADD CONSTRAINT off FOREIGN KEY (a) "
       "REFERENCES q",
       "ALTER TABLE t DROP CONSTRAINT off"});
  const Catalog found = catalog();
  EXPECT_THAT(found.find_table("", "t")->foreign_keys,
              ElementsAre(ForeignKey{{"b", "a"}, "other", "p", {"x", "y"}}, ForeignKey{{"c"}, "public", "q", {"x"}},
                          ForeignKey{{"e"}, "public", "q", {"x"}}));
  sql({"ALTER TABLE t DISABLE TRIGGER ALL"});
  EXPECT_THAT(catalog().find_table("", "t")->foreign_keys, IsEmpty());
}

// Rows the server takes for one person, and how their names are read.
TEST_F(PostgresCatalog, KnowsWhichColumnsTheServerComparesInItsOwnWay) {
  // From 18 on the server makes no foreign key between two collations of which one calls different texts equal.
  const bool has_keys_between_collations = open()->version().name < "PostgreSQL 18";
  const std::string to_nocase = has_keys_between_collations ? " REFERENCES p (a)" : "";
  sql({"CREATE EXTENSION citext",
       "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
       "CREATE DOMAIN loose AS text COLLATE nocase", "CREATE DOMAIN looser AS citext", "CREATE TYPE mood AS ENUM ('a')",
       "CREATE TABLE p (a text COLLATE nocase UNIQUE, b citext UNIQUE, c char(4) UNIQUE, d float8 UNIQUE, e text "
       "UNIQUE, f numeric UNIQUE, g timestamptz UNIQUE, h name UNIQUE)",
       "CREATE TABLE t (a text" + to_nocase +
           ", b citext REFERENCES p (b), c text REFERENCES p (c), c2 char(2) "
           "REFERENCES p (c), d int8 REFERENCES p (d), d2 float4 REFERENCES p (d), e char(4) REFERENCES p (e), e2 name "
           "REFERENCES p (e), f int REFERENCES p (f), g date REFERENCES p (g), h text REFERENCES p (h), i loose, j "
           "looser, "
           "k mood, l uuid, m text COLLATE \"C\", n text COLLATE \"en-x-icu\", o char(3), p numeric(5,2), "
           "q varchar UNIQUE)",
       "ALTER TABLE t ADD UNIQUE (a)", "CREATE UNIQUE INDEX ON t (m COLLATE nocase)",
       "CREATE TABLE u (a text REFERENCES t (a), q varchar REFERENCES t (q))",
       "CREATE TABLE parted (a text, q text) PARTITION BY LIST (q)",
       "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN ('x')",
       has_keys_between_collations ? "ALTER TABLE parted_1 ADD FOREIGN KEY (a) REFERENCES p (a)" : "SELECT 1"});
  const Catalog found = catalog();
  std::vector<std::string> own;
  for (const CatalogTable& table : found.tables) {
    for (const CatalogColumn& column : table.columns) {
      if (!column.own_equality.empty())
        own.push_back(fmt::format("{}.{}: {}", table.name, column.name, column.own_equality));
    }
  }
  const std::string leads = "a foreign key leads to a column that the database compares in its own way";
  std::vector<std::string> expected = {"p.a: its collation nocase calls different texts equal",
                                       "p.b: the database compares public.citext in its own way",
                                       "parted.a: " + leads,
                                       "t.a: " + leads,
                                       "t.b: the database compares public.citext in its own way",
                                       "t.c: a foreign key compares it as character",
                                       "t.d: a foreign key compares it as double precision",
                                       "t.g: a foreign key compares it as date",
                                       "t.i: its collation nocase calls different texts equal",
                                       "t.j: the database compares public.citext in its own way",
                                       "u.a: " + leads};
  if (!has_keys_between_collations)
    std::erase_if(expected, [&](const std::string& line) { return line.ends_with(leads); });
  EXPECT_EQ(own, expected);
  EXPECT_THAT(found.find_table("", "t")->unique_keys, ElementsAre(Key{"a"}, Key{"m"}, Key{"q"}));
}

// The server compares a time with a zone and one without by the session's zone.
TEST_F(PostgresCatalog, MarksForeignKeysBetweenTimesWithAndWithoutZone) {
  sql({"CREATE TABLE p (a timestamp PRIMARY KEY, b bigint UNIQUE)",
       "CREATE TABLE t (a timestamptz REFERENCES p (a), b date REFERENCES p (a), c int REFERENCES p (b))"});
  const Catalog found = catalog();
  const auto& columns = found.find_table("", "t")->columns;
  EXPECT_EQ(columns[0].own_equality, "a foreign key compares it as timestamp with time zone");
  EXPECT_EQ(columns[1].own_equality, "");
  EXPECT_EQ(columns[2].own_equality, "");
}

TEST_F(PostgresCatalog, TrustsNoCastThatSomebodyMade) {
  sql({"CREATE TYPE mood AS ENUM ('sad', 'glad')", "CREATE TABLE t (a mood, b int)",
       "CREATE FUNCTION told(mood) RETURNS text LANGUAGE sql AS 'SELECT CAST(1 AS text)'",
       "CREATE CAST (mood AS text) WITH FUNCTION told(mood)"});
  EXPECT_FALSE(catalog().find_table("", "t")->columns[0].type);
  EXPECT_TRUE(catalog().find_table("", "t")->columns[1].type);
  sql({"CREATE FUNCTION told(uuid) RETURNS text LANGUAGE sql AS 'SELECT CAST(1 AS text)'",
       "CREATE CAST (uuid AS text) WITH FUNCTION told(uuid)"});
  const auto refused = open()->catalog();
  ASSERT_FALSE(refused);
  EXPECT_NE(to_line(refused.error()).find("CREATE CAST"), std::string::npos);
}

TEST_F(PostgresCatalog, ClosesTablesUnderRowLevelSecurity) {
  const std::string role = make_role();
  sql({"CREATE TABLE t (a int PRIMARY KEY)", "ALTER TABLE t ENABLE ROW LEVEL SECURITY", "GRANT SELECT ON t TO " + role,
       "CREATE POLICY p ON t USING (a > 0)"});
  EXPECT_TRUE(catalog().find_table("", "t")->columns[0].type);  // a superuser sees every row
  policy.engine.url = url_as(role);
  const Catalog found = catalog();
  EXPECT_EQ(found.find_table("", "t")->access, TableAccess::row_security);
  EXPECT_THAT(found.find_table("", "t")->columns, IsEmpty());
  EXPECT_THAT(found.find_table("", "t")->unique_keys, IsEmpty());
}

// Constraints of PostgreSQL 18 that promise less than their name.
TEST_F(PostgresCatalog, TrustsNoConstraintThatOldRowsOrPeriodsBreak) {
  const std::string without_overlaps =
      "CREATE TABLE room (id int, at daterange, PRIMARY KEY (id, at WITHOUT OVERLAPS))";
  sql({"CREATE EXTENSION btree_gist", "CREATE TABLE p (id int PRIMARY KEY)"});
  if (open()->version().name < "PostgreSQL 18") {  // there are none to trust (`make check` runs this on 18 too)
    EXPECT_THROW(sql({without_overlaps}), std::runtime_error);
    EXPECT_THROW(sql({"CREATE TABLE q (id int REFERENCES p NOT ENFORCED)"}), std::runtime_error);
    return;
  }
  sql({without_overlaps,
       "CREATE TABLE stay (room int, during daterange, FOREIGN KEY (room, PERIOD during) REFERENCES room (id, PERIOD "
       "at))",
       "CREATE TABLE c (a int, b int)", "INSERT INTO c VALUES (NULL, 7)",
       "ALTER TABLE c ADD CONSTRAINT n NOT NULL a NOT VALID",
       "ALTER TABLE c ADD FOREIGN KEY (b) REFERENCES p NOT ENFORCED"});
  const Catalog found = catalog();
  const CatalogTable* room = found.find_table("", "room");
  EXPECT_THAT(room->unique_keys, IsEmpty());
  EXPECT_THAT(room->primary_key, IsEmpty());
  EXPECT_THAT(found.find_table("", "stay")->foreign_keys, IsEmpty());
  const CatalogTable* c = found.find_table("", "c");
  EXPECT_FALSE(c->find_column("a")->not_null);
  EXPECT_THAT(c->foreign_keys, IsEmpty());
  sql({"DELETE FROM c", "ALTER TABLE c VALIDATE CONSTRAINT n"});
  EXPECT_TRUE(catalog().find_table("", "c")->find_column("a")->not_null);
}

TEST_F(PostgresCatalog, SpellsNamesAsTheServerDoes) {
  sql({"CREATE SCHEMA \"Odd \"\"one\"",
       "CREATE TABLE \"Odd \"\"one\".\"select\" (\"From\" int, \"it's\" int, \"a\"\"b\" int, "
       "\"\u00fc \u6f22\" int, \"{}\" int)",
       "INSERT INTO \"Odd \"\"one\".\"select\" VALUES (1, 2, 3, 4, 5)"});
  const auto engine = open();
  const auto found = engine->catalog();
  ASSERT_TRUE(found);
  const CatalogTable* table = found->find_table("Odd \"one", "select");
  ASSERT_NE(table, nullptr);
  for (const char* name : {"From", "it's", "a\"b", "\u00fc \u6f22", "{}"}) EXPECT_NE(table->find_column(name), nullptr);
  const auto begun = engine->begin_snapshot({{"Odd \"one", "select"}});
  EXPECT_TRUE(begun) << to_line(begun.error());
  engine->end_snapshot();
}

TEST_F(PostgresCatalog, TakesTheSearchPathOfRoleDatabaseAndUrl) {
  EXPECT_THAT(catalog().search_path, ElementsAre("public"));
  sql({"CREATE SCHEMA one", "CREATE SCHEMA two", "CREATE TABLE one.t (a int)", "CREATE TABLE two.t (b int)",
       "CREATE TABLE public.u (a int)", "ALTER DATABASE " + database + " SET search_path = one, missing, public"});
  EXPECT_THAT(catalog().search_path, ElementsAre("one", "public"));
  EXPECT_EQ(catalog().find_table("", "t")->schema, "one");
  policy.engine.url += "&options=-csearch_path%3Dtwo,public";
  EXPECT_THAT(catalog().search_path, ElementsAre("two", "public"));
  EXPECT_EQ(catalog().find_table("", "t")->schema, "two");
}

TEST_F(PostgresCatalog, ReadsTheWidestTable) {
  std::string columns;
  for (int i = 0; i < 1600; ++i) columns += (i == 0 ? "c" : ", c") + std::to_string(i) + " int";
  sql({"CREATE TABLE wide (" + columns + ")"});
  const auto engine = open();
  const auto found = engine->catalog();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->find_table("", "wide")->columns.size(), 1600U);
  EXPECT_EQ(found->find_table("", "wide")->columns[1599].name, "c1599");
  EXPECT_TRUE(engine->begin_snapshot({{"public", "wide"}}));
  engine->end_snapshot();
}

}  // namespace
}  // namespace tacit
