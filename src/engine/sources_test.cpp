#include <stdlib.h>

#include "engine/engine_fixture.hpp"

namespace tacit {
namespace {

class SourcesTest : public EngineTest {
 protected:
  void write_parquet(const std::string& file, const std::string& query) {
    std::string path = at(file);
    for (auto quote = path.find('\''); quote != std::string::npos; quote = path.find('\'', quote + 2)) {
      path.insert(quote, 1, '\'');
    }
    prepare("", {"COPY (" + query + ") TO '" + path + "' (FORMAT parquet)"});
  }

  TablePolicy& add_csv(const std::string& name, const std::string& content,
                       const std::map<std::string, SqlType>& types) {
    write(name + ".csv", content);
    TablePolicy& table = add_table(name, name + ".csv");
    for (const auto& [column, type] : types) table.columns[column].type = type;
    return table;
  }

  static Int128 one_cell(Engine& engine, const std::string& sql, int scale = 0) {
    const auto rows = engine.run({sql, {}, {scale}, {}});
    if (!rows) {
      ADD_FAILURE() << to_line(rows.error());
      return -1;
    }
    return ExactRowsReader(*rows).cell(0, 0);
  }
};

TEST_F(SourcesTest, ReadsAParquetFileAsATable) {
  write_parquet("visits.parquet", "SELECT range AS id, (range * 1.25)::DECIMAL(10,2) AS cost FROM range(100)");
  add_table("visit", "visits.parquet");
  const auto engine = open();
  EXPECT_EQ(one_cell(*engine, "SELECT sum(cost) FROM \"main\".\"visit\"", 2), 618750);
  const auto catalog = engine->catalog();
  ASSERT_TRUE(catalog);
  const CatalogTable* visit = catalog->find_table("", "visit");
  ASSERT_NE(visit, nullptr);
  EXPECT_EQ(visit->schema, "main");
  EXPECT_EQ(visit->find_column("cost")->type, SqlType::decimal(10, 2));
}

TEST_F(SourcesTest, ReadsEveryTypeOfParquetItCanComputeWith) {
  write_parquet(
      "odd.parquet",
      "SELECT 200::UTINYINT AS a, 60000::USMALLINT AS b, 4000000000::UINTEGER AS c, "
      "18446744073709551615::UBIGINT AS d, 0.1::FLOAT AS e, TIMESTAMP_NS '2020-01-01 00:00:00.123456400' AS f, "
      "[1] AS l, TIMESTAMPTZ '2020-01-01 00:00:00+00' AS tz");
  add_table("odd", "odd.parquet");
  const auto engine = open();
  const auto catalog = engine->catalog();
  ASSERT_TRUE(catalog) << to_line(catalog.error());
  const CatalogTable* odd = catalog->find_table("", "odd");
  ASSERT_NE(odd, nullptr);
  EXPECT_EQ(odd->find_column("a")->type, SqlType::integer(16));
  EXPECT_EQ(odd->find_column("b")->type, SqlType::integer(32));
  EXPECT_EQ(odd->find_column("c")->type, SqlType::integer(64));
  EXPECT_EQ(odd->find_column("d")->type, SqlType::integer(128));
  EXPECT_EQ(odd->find_column("e")->type, SqlType::real());
  EXPECT_EQ(odd->find_column("f")->type, SqlType::timestamp());
  EXPECT_FALSE(odd->find_column("l")->type);
  EXPECT_FALSE(odd->find_column("tz")->type);
  EXPECT_EQ(one_cell(*engine, "SELECT d FROM odd"), *parse_int128("18446744073709551615"));
  const auto rows = engine->read_public({"SELECT e, f FROM odd", {SqlType::real(), SqlType::timestamp()}});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->at(0)[0], Value(static_cast<double>(0.1f)));
  EXPECT_EQ(to_string(rows->at(0)[1]), "2020-01-01 00:00:00.123456");
}

TEST_F(SourcesTest, AcceptsQuotesInPathsAndNames) {
  std::filesystem::create_directory(folder / "it's");
  write_parquet("it's/we'ird.PARQUET", "SELECT 7 AS \"col\"\"umn\"");
  add_table("a \"table\"", "it's/we'ird.PARQUET");
  EXPECT_EQ(one_cell(*open(), "SELECT \"col\"\"umn\" FROM \"main\".\"a \"\"table\"\"\""), 7);
}

TEST_F(SourcesTest, TakesNothingFromThePath) {
  std::filesystem::create_directory(folder / "year=2020");
  write_parquet("year=2020/x.parquet", "SELECT 1 AS a");
  add_table("x", "year=2020/x.parquet");
  const auto catalog = open()->catalog();
  ASSERT_TRUE(catalog);
  EXPECT_EQ(catalog->find_table("", "x")->columns.size(), 1u);
}

TEST_F(SourcesTest, ReadsFilesBesideADatabaseFile) {
  prepare("shop.duckdb", {"CREATE TABLE ward(name VARCHAR PRIMARY KEY)", "INSERT INTO ward VALUES ('a'), ('b')"});
  write_parquet("visits.parquet", "SELECT 'a' AS ward FROM range(5)");
  policy.engine.url = "duckdb:shop.duckdb";
  add_table("visit", "visits.parquet");
  add_csv("note", "ward\nb\nb\n", {{"ward", SqlType::text()}});
  const auto engine = open();
  EXPECT_EQ(one_cell(*engine, "SELECT count(*) FROM visit JOIN ward ON visit.ward = ward.name"), 5);
  EXPECT_EQ(one_cell(*engine, "SELECT count(*) FROM note JOIN ward ON note.ward = ward.name"), 2);
}

TEST_F(SourcesTest, ReadsCsvWithDeclaredTypesInAnyOrder) {
  add_csv("people",
          "Born,unused,name,\"pay, monthly\",id,at,ok,h\r\n"
          "1969-07-20,x,\"O\"\"Neil, J\",1234.50,007,1969-07-20 20:17:40.5,true,0.5\r\n"
          ",,\"two\nlines\",,8,,,\r\n",
          {{"born", SqlType::date()},
           {"name", SqlType::text()},
           {"pay, monthly", SqlType::decimal(12, 2)},
           {"id", SqlType::integer(32)},
           {"at", SqlType::timestamp()},
           {"ok", SqlType::boolean()},
           {"h", SqlType::real()}});
  const auto engine = open();
  const auto catalog = engine->catalog();
  ASSERT_TRUE(catalog);
  const CatalogTable* people = catalog->find_table("", "people");
  ASSERT_NE(people, nullptr);
  EXPECT_EQ(people->columns.size(), 7u);
  EXPECT_EQ(people->find_column("born")->type, SqlType::date());  // as declared, not as the header spells it
  EXPECT_EQ(people->find_column("unused"), nullptr);
  const auto rows =
      engine->read_public({"SELECT id, name, born, \"pay, monthly\", \"at\", ok, h FROM people ORDER BY id",
                           {SqlType::integer(32), SqlType::text(), SqlType::date(), SqlType::decimal(12, 2),
                            SqlType::timestamp(), SqlType::boolean(), SqlType::real()}});
  ASSERT_TRUE(rows) << to_line(rows.error());
  const std::vector<Value> first = {Decimal{7, 0},
                                    std::string("O\"Neil, J"),
                                    Date{-165},
                                    Decimal{123450, 2},
                                    *parse_timestamp("1969-07-20 20:17:40.5"),
                                    true,
                                    0.5};
  EXPECT_EQ(rows->at(0), first);
  EXPECT_EQ(rows->at(1)[1], Value(std::string("two\nlines")));
  for (const std::size_t i : {2u, 3u, 4u, 5u, 6u}) EXPECT_EQ(rows->at(1)[i], Value(Null{}));
}

TEST_F(SourcesTest, ReadsCompressedCsv) {
  add_csv("n", "a\n1\n2\n", {{"a", SqlType::integer(32)}}).source = "n.csv.gz";
  prepare("", {"COPY (SELECT range AS a FROM range(3)) TO '" + at("n.csv.gz") + "' (HEADER, COMPRESSION gzip)"});
  EXPECT_EQ(one_cell(*open(), "SELECT sum(a) FROM n"), 3);
}

TEST_F(SourcesTest, ReadsACsvFileWithoutRows) {
  add_csv("none", "a,b\n", {{"a", SqlType::integer(32)}});
  EXPECT_EQ(one_cell(*open(), "SELECT count(*) FROM none"), 0);
}

struct BadCsv {
  const char* why;
  std::string content;
  std::string where_ends;  // the line
  std::string says;
};

class BadCsvTest : public SourcesTest, public ::testing::WithParamInterface<BadCsv> {};

// A bad line is refused when the file is opened, not by the query that happens to read it; its content is not told.
TEST_P(BadCsvTest, IsRefusedWhenOpenedWithoutItsContent) {
  add_csv("people", GetParam().content,
          {{"id", SqlType::integer(32)}, {"born", SqlType::date()}, {"pay", SqlType::decimal(6, 2)}});
  const Failure failure = open_failure();
  EXPECT_EQ(failure.code, FailureCode::engine);
  EXPECT_TRUE(failure.where.ends_with(GetParam().where_ends)) << failure.where;
  const std::string line = to_line(failure);
  EXPECT_NE(line.find(GetParam().says), std::string::npos) << line;
  for (const char* secret : {"SECRET", "77777", "1955", "Error", "Convert"}) {
    EXPECT_EQ(line.find(secret), std::string::npos) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadCsvTest,
    ::testing::Values(BadCsv{"text in a number", "id,born,pay\n1,2000-01-01,2\nSECRET,2000-01-01,2\n", ":3",
                             "column `id`"},
                      BadCsv{"no such day", "id,born,pay\n1,1955-02-30,2\n", ":2", "column `born`"},
                      BadCsv{"too many digits", "id,born,pay\n1,2000-01-01,77777.00\n", ":2", "column `pay`"},
                      BadCsv{"too few cells", "id,born,pay\n1,2000-01-01,2\n77777\n", ":3", "malformed"},
                      BadCsv{"too many cells", "id,born,pay\n1,2000-01-01,2,SECRET\n", ":2", "malformed"},
                      BadCsv{"open quote", "id,born,pay\n1,2000-01-01,\"SECRET\n", "", "people.csv"},
                      BadCsv{"open quote in the header", "id,born,\"pay\n", ".csv", "quote"},
                      BadCsv{"empty file", "", ".csv", "empty"}),
    [](const auto& info) {
      std::string name = info.param.why;
      for (char& c : name) c = c == ' ' ? '_' : c;
      return name;
    });

TEST_F(SourcesTest, RefusesInvalidUtf8InACsvFile) {
  add_csv("people", "name\n\xff\xfe\n", {{"name", SqlType::text()}});
  EXPECT_EQ(open_failure().what, "the CSV file has a malformed line");
}

TEST_F(SourcesTest, RefusesColumnsTheHeaderDoesNotName) {
  add_csv("people", "id,names\n1,x\n", {{"id", SqlType::integer(32)}, {"name", SqlType::text()}});
  const Failure failure = open_failure();
  EXPECT_EQ(failure.code, FailureCode::usage);
  EXPECT_NE(failure.what.find("`name`"), std::string::npos);
  EXPECT_NE(failure.what.find("did you mean `names`"), std::string::npos);
  EXPECT_EQ(failure.where, policy.path + ":10");
}

TEST_F(SourcesTest, RefusesAColumnTheHeaderNamesTwice) {
  add_csv("people", "id,ID,Id\n1,2,3\n", {{"iD", SqlType::integer(32)}});
  EXPECT_EQ(open_failure().code, FailureCode::usage);
}

TEST_F(SourcesTest, RefusesCsvColumnsWithoutATypeAndTablesWithoutColumns) {
  TablePolicy& table = add_csv("people", "id\n1\n", {});
  EXPECT_EQ(open_failure().code, FailureCode::usage);
  table.columns["id"] = {};
  EXPECT_EQ(open_failure().what, "column `id` of the CSV file has no type");
}

TEST_F(SourcesTest, RefusesMissingUnfitAndDamagedFiles) {
  TablePolicy& table = add_table("visit", "missing.parquet");
  Failure failure = open_failure();
  EXPECT_EQ(failure.code, FailureCode::engine);
  EXPECT_NE(failure.what.find("does not exist"), std::string::npos);
  EXPECT_EQ(failure.where, at("missing.parquet"));

  std::filesystem::create_directory(folder / "folder.parquet");
  table.source = "folder.parquet";
  EXPECT_NE(open_failure().what.find("is a directory"), std::string::npos);

  write("text.parquet", "SECRET this is not Parquet, whatever its name says");
  table.source = "text.parquet";
  failure = open_failure();
  EXPECT_NE(failure.what.find("not Parquet"), std::string::npos);
  EXPECT_EQ(to_line(failure).find("SECRET"), std::string::npos);

  write_parquet("whole.parquet", "SELECT range AS a FROM range(1000)");
  std::filesystem::copy_file(at("whole.parquet"), at("cut.parquet"));
  std::filesystem::resize_file(at("cut.parquet"), std::filesystem::file_size(at("cut.parquet")) / 2);
  table.source = "cut.parquet";
  EXPECT_NE(open_failure().what.find("not complete"), std::string::npos);

  table.source = "data.xlsx";
  EXPECT_EQ(open_failure().code, FailureCode::usage);
  table.source = "*.parquet";
  EXPECT_EQ(open_failure().code, FailureCode::usage);
  table.source = "whole.parquet";
  table.name.schema = "other";
  EXPECT_EQ(open_failure().code, FailureCode::usage);
}

TEST_F(SourcesTest, RefusesANameTheDatabaseHas) {
  prepare("shop.duckdb", {"CREATE TABLE \"Visit\"(a INTEGER)"});
  write_parquet("visits.parquet", "SELECT 1 AS a");
  policy.engine.url = "duckdb:shop.duckdb";
  add_table("visit", "visits.parquet");
  const Failure failure = open_failure();
  EXPECT_EQ(failure.code, FailureCode::usage);
  EXPECT_NE(failure.what.find("the database has a table of that name too"), std::string::npos);
}

}  // namespace
}  // namespace tacit
