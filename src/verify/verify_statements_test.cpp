#include "verify/verify_statements.hpp"

#include <cmath>

#include "sql/dialects/dialects.hpp"
#include "verify/both_engines_fixture.hpp"

namespace tacit {
namespace {

using VerifyStatements = BothEngines;
using Counts = std::map<std::string, std::pair<long, long>>;

constexpr const char* rows_model = "rows = \"add-remove\"\n";

TEST_P(VerifyStatements, CountRepeatedAndMissingKeys) {
  create("t", {{"a", SqlType::integer(32)}, {"b", SqlType::text()}});
  run("INSERT INTO t VALUES (1, 'x'), (1, 'y'), (1, 'x'), (2, 'x'), (2, 'x'), (2, 'x'), (NULL, 'x'), (NULL, 'x'), "
      "(3, NULL)");
  read(std::string("[tables.t]\nprimary_key = [\"b\", \"a\"]\n") + rows_model);
  EXPECT_EQ(counts(), (Counts{{"t", {0, 9}}, {"primary_key (b, a)", {2, 5}}, {"primary_key (b, a) NULL", {0, 3}}}));
}

TEST_P(VerifyStatements, CountRowsOfNobodyAndRowsThatLeadNowhere) {
  create("person", {{"p1", SqlType::integer(32)}, {"p2", SqlType::decimal(6, 2)}});
  create("visit", {{"v1", SqlType::integer(64)}, {"v2", SqlType::decimal(10, 4)}});
  run("INSERT INTO person VALUES (1, 1.5), (2, 2.5)");
  run("INSERT INTO visit VALUES (1, 1.5), (1, 1.5), (2, 2.5), (2, 1.5), (5000000000, 1.5), (5000000000, 1.5), "
      "(NULL, 1.5), (1, NULL), (2, 2.5001)");
  read(
      "[tables.person]\nowner = \"p1\"\nprimary_key = [\"p1\", \"p2\"]\n[tables.visit]\nowner_through = { columns = "
      "[\"v1\", \"v2\"], references = \"person\" }\n");
  ASSERT_EQ(statements.size(), 1u);
  EXPECT_EQ(counts(), (Counts{{"person", {0, 2}},
                              {"visit", {0, 9}},
                              {"owner_through (v1, v2) to person", {3, 4}},
                              {"owner_through (v1, v2) to person NULL", {0, 2}}}));
}

TEST_P(VerifyStatements, CompareTextKeysByteByByte) {
  create("person", {{"name", SqlType::text()}});
  create("visit", {{"who", SqlType::text()}});
  if (is_postgres()) run("ALTER TABLE visit ALTER who TYPE TEXT COLLATE \"POSIX\"");
  run("INSERT INTO person VALUES ('ana'), ('it''s')");
  run("INSERT INTO visit VALUES ('ana'), ('Ana'), ('it''s'), ('')");
  read(
      "[tables.person]\nowner = \"name\"\nprimary_key = [\"name\"]\n[tables.visit]\nowner_through = { columns = "
      "[\"who\"], references = \"person\" }\n");
  EXPECT_EQ(counts()["owner_through (who) to person"], std::pair(2L, 2L));
}

TEST_P(VerifyStatements, CountBrokenDependenciesWithNullAsAValue) {
  create("t", {{"x", SqlType::integer(32)}, {"y", SqlType::text()}, {"z", SqlType::text()}});
  run("INSERT INTO t VALUES (1, 'a', 'p'), (1, 'a', 'p'), (2, 'a', 'p'), (2, 'b', 'p'), (3, 'a', 'p'), (3, NULL, 'p'), "
      "(NULL, 'a', 'p'), (NULL, 'b', 'p'), (4, 'a', 'p'), (4, 'b', 'p'), (4, 'b', 'q')");
  read(std::string("[tables.t]\ndependencies = [\"x -> y\", \"x ->[2] y, z\", \"x, y ->[2] z\"]\n") + rows_model);
  EXPECT_EQ(counts(), (Counts{{"t", {0, 11}}, {"dependency x -> y", {4, 9}}, {"dependency x ->[2] y, z", {1, 3}}}));
}

TEST_P(VerifyStatements, CountValuesOutsideBoundsAndDomains) {
  create("t", {{"i", SqlType::integer(16)},
               {"d", SqlType::decimal(5, 2)},
               {"r", SqlType::real()},
               {"s", SqlType::text()},
               {"b", SqlType::boolean()},
               {"day", SqlType::date()},
               {"at", SqlType::timestamp()}});
  run("INSERT INTO t VALUES (0, 0, 0.1, 'a', TRUE, DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00'), "
      "(-1, 10.01, 'NaN', 'it''s', FALSE, DATE '2019-12-31', TIMESTAMP '2019-12-31 23:59:59.999999'), "
      "(11, 10, 'infinity', 'A', NULL, DATE '2030-01-01', TIMESTAMP '2030-01-01 00:00:00'), "
      "(NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
  read(std::string("[tables.t]\n") + rows_model +
       "[tables.t.columns]\ni = { min = 0, max = 10 }\nd = { min = 0, max = 10 }\nr = { min = 0, max = 1, values = "
       "[0.1, "
       "0.2] }\ns = { values = [\"a\", \"it's\"] }\nb = { values = [true] }\nday = { min = 2020-01-01 }\n"
       "at = { min = 2020-01-01 }\n");
  EXPECT_EQ(counts(), (Counts{{"t", {0, 4}},
                              {"columns.i min, max", {0, 2}},
                              {"columns.d min, max", {0, 1}},
                              {"columns.r min, max", {0, 2}},
                              {"columns.r values", {0, 2}},
                              {"columns.s values", {0, 1}},
                              {"columns.b values", {0, 1}},
                              {"columns.day min", {0, 1}},
                              {"columns.at min", {0, 1}}}));
}

TEST_P(VerifyStatements, CountValuesNearerThanTheStep) {
  create("t", {{"i", SqlType::integer(16)},
               {"d", SqlType::decimal(5, 2)},
               {"r", SqlType::real()},
               {"day", SqlType::date()},
               {"at", SqlType::timestamp()}});
  for (int k = 0; k < 10; ++k) {
    run(fmt::format("INSERT INTO t VALUES ({}, {}, {}, DATE '2020-01-{:02}', TIMESTAMP '2020-01-01 00:00:{:02}')",
                    5 * k, 0.25 * k, 0.1 * k, 7 * (k % 4) + 1, 2 * k));
  }
  const std::string policy = std::string("[tables.t]\n") + rows_model +
                             "[tables.t.columns]\ni = { step = 5 }\nd = { step = 0.25 }\nr = { step = 0.1 }\nday = { "
                             "step = 7 }\nat = { step = 2 }\n";
  read(policy);
  EXPECT_EQ(counts(), (Counts{{"t", {0, 10}}}));
  run("INSERT INTO t VALUES (4, 0.26, 0.15, DATE '2020-01-09', TIMESTAMP '2020-01-01 00:00:00.5')");
  read(policy);
  EXPECT_EQ(counts(), (Counts{{"t", {0, 11}},
                              {"columns.i step", {2, 0}},
                              {"columns.d step", {2, 0}},
                              {"columns.r step", {2, 0}},
                              {"columns.day step", {2, 0}},
                              {"columns.at step", {2, 0}}}));
}

TEST_P(VerifyStatements, ForgiveTheRoundingOfRealsOnly) {
  CatalogTable& table = create("t", {{"f", SqlType::real()}, {"r", SqlType::real()}});
  table.columns[0].engine_type = is_postgres() ? "real" : "FLOAT";
  run("ALTER TABLE t ALTER f TYPE REAL");
  for (int k = 0; k < 300; ++k) run(fmt::format("INSERT INTO t VALUES ({0}, {0})", 0.1 * k));
  const std::string policy =
      std::string("[tables.t]\n") + rows_model + "[tables.t.columns]\nf = { step = 0.1 }\nr = { step = 0.1 }\n";
  read(policy);
  EXPECT_EQ(counts(), (Counts{{"t", {0, 300}}}));
  run("INSERT INTO t VALUES (0.10001, 0.1000000001)");
  read(policy);
  EXPECT_EQ(counts(), (Counts{{"t", {0, 301}}, {"columns.f step", {2, 0}}, {"columns.r step", {2, 0}}}));
}

// No value makes a statement fail: the ends of every type, infinities, NaN, the smallest doubles.
TEST_P(VerifyStatements, SurviveEveryValue) {
  create("t", {{"i", SqlType::integer(64)},
               {"d", SqlType::decimal(38, 4)},
               {"r", SqlType::real()},
               {"day", SqlType::date()},
               {"at", SqlType::timestamp()},
               {"s", SqlType::text()}});
  run("INSERT INTO t VALUES (9223372036854775807, 9999999999999999999999999999999999.9999, 1.7976931348623157e308, "
      "'infinity', 'infinity', 'x'), (-9223372036854775808, -9999999999999999999999999999999999.9999, "
      "-1.7976931348623157e308, '-infinity', '-infinity', ''), (9223372036854775806, "
      "9999999999999999999999999999999999.9998, 5e-324, DATE '5000-01-01', TIMESTAMP '9999-12-31 23:59:59.999999', "
      "'y'), (0, 0, -5e-324, DATE '0001-01-01', TIMESTAMP '0001-01-01 00:00:00', 'z'), (1, 0.0001, 0, DATE "
      "'9999-12-31', NULL, NULL)");
  run("INSERT INTO t(r) VALUES ('NaN'), ('infinity'), ('-infinity'), (1e300), (-1e300), (1e-200)");
  for (const std::string step : {"2", "3000000", "1e32"}) {
    const std::string decimal_step = step == "1e32" ? "1e33" : step;
    read(fmt::format(
        "[tables.t]\nprimary_key = [\"i\", \"r\", \"day\"]\ndependencies = [\"r -> day\", \"at -> s\"]\n{0}"
        "[tables.t.columns]\ni = {{ step = {1}, min = -5, max = 5 }}\nd = {{ step = {2}, min = 0 }}\nr = {{ "
        "step = {1}, max = 1 }}\nday = {{ step = {1}, max = 2020-01-01 }}\nat = {{ step = {1} }}\n",
        rows_model, step, decimal_step));
    const auto found = counts();
    EXPECT_EQ(found.at("t"), std::pair(0L, 11L));
    EXPECT_GE(found.at("columns.i step").first, 2) << step;
    EXPECT_GE(found.at("columns.r step").first, 2) << step;
  }
}

TEST_P(VerifyStatements, CountNumbersThatDoNotFitTheirDeclaredDigits) {
  if (!is_postgres()) return;  // DuckDB has no number without digits
  CatalogTable& table = create("t", {{"a", SqlType::decimal(38, 0)}});
  run("ALTER TABLE t ALTER a TYPE NUMERIC");
  table.columns[0].type.reset();
  table.columns[0].needs_declared_digits = true;
  run("INSERT INTO t VALUES (1.25), (1.255), (1000), ('NaN'), ('infinity'), (1e50), (NULL), (1.2500)");
  read(std::string("[tables.t]\n") + rows_model +
       "[tables.t.columns]\na = { type = \"decimal(5,2)\", min = 0, max = 9 }\n");
  EXPECT_EQ(counts(), (Counts{{"t", {0, 8}}, {"columns.a type", {0, 4}}}));
}

TEST_P(VerifyStatements, CountNothingInEmptyTables) {
  create("person", {{"id", SqlType::integer(32)}});
  create("visit", {{"who", SqlType::integer(32)}, {"age", SqlType::real()}});
  read(
      "[tables.person]\nowner = \"id\"\nprimary_key = [\"id\"]\n[tables.visit]\nowner_through = { columns = [\"who\"], "
      "references = \"person\" }\ndependencies = [\"who -> age\"]\n[tables.visit.columns]\nage = { min = 0, step = 1 "
      "}\n");
  EXPECT_EQ(counts(), Counts{});
}

// More flags than a word has bits, more grouped columns than one GROUPING takes.
TEST_P(VerifyStatements, TakeAnyNumberOfFactsAndAnyName) {
  std::vector<std::pair<std::string, SqlType>> columns;
  std::string said;
  std::string dependencies;
  std::string values;
  for (int i = 0; i < 70; ++i) {
    const std::string name = fmt::format("C {{}} ; {}", i);
    columns.emplace_back(name, SqlType::integer(32));
    said += fmt::format("'\"{}\"' = {{ min = 0, max = 9, values = [1, 3] }}\n", name);
    if (i < 35) dependencies += fmt::format("{}'\"{}\" -> \"C {{}} ; {}\"'", i == 0 ? "" : ", ", name, i + 1);
    values += fmt::format("{}{}", i == 0 ? "" : ", ", i == 66 ? 10 : 3);
  }
  create("select", columns);
  run("INSERT INTO \"select\" VALUES (" + values + ")");
  read(fmt::format("[tables.select]\n{}dependencies = [{}]\n[tables.select.columns]\n{}", rows_model, dependencies,
                   said));
  EXPECT_EQ(counts(), (Counts{{"select", {0, 1}},
                              {"columns.\"C {} ; 66\" min, max", {0, 1}},
                              {"columns.\"C {} ; 66\" values", {0, 1}}}));
}

INSTANTIATE_TEST_SUITE_P(On, VerifyStatements, ::testing::ValuesIn(all_dialects()),
                         [](const auto& info) { return info.param == &duckdb_dialect() ? "DuckDb" : "PostgreSql"; });

}  // namespace
}  // namespace tacit
