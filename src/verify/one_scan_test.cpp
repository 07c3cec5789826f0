#include "sql/dialects/dialects.hpp"
#include "verify/both_engines_fixture.hpp"

namespace tacit {
namespace {

class OneScan : public BothEngines {
 protected:
  // How often the plan of all statements reads the table.
  long scans_of(const std::string& table) {
    std::string plan;
    for (const auto& statement : statements) {
      for (const auto& row : rows((is_postgres() ? "EXPLAIN " : "EXPLAIN (FORMAT json) ") + statement.query.sql))
        plan += row.back() + '\n';
    }
    const std::string prefix = "memory.main.";  // DuckDB from 1.5 on names database and schema too
    for (auto at = plan.find(prefix); at != std::string::npos; at = plan.find(prefix, at))
      plan.erase(at, prefix.size());
    const std::string mark = is_postgres() ? " Scan on " + table + " " : "\"Table\": \"" + table + "\"";
    long count = 0;
    for (auto at = plan.find(mark); at != std::string::npos; at = plan.find(mark, at + 1)) ++count;
    return count;
  }
};

constexpr const char* everything =
    "[tables.person]\nowner = \"pid\"\nprimary_key = [\"pid\"]\ndependencies = [\"pid -> born\"]\n"
    "[tables.person.columns]\nborn = { min = 1900, max = 2030 }\n"
    "[tables.visit]\nowner_through = { columns = [\"who\"], references = \"person\" }\nprimary_key = [\"id\"]\n"
    "dependencies = [\"who ->[3] ward\", \"ward -> house\"]\n"
    "[tables.visit.columns]\nage = { min = 0, max = 120, step = 2 }\nward = { values = [1, 2, 3] }\n"
    "[tables.bill]\nowner_through = { columns = [\"visit_id\"], references = \"visit\" }\nprimary_key = "
    "[\"visit_id\"]\n"
    "[tables.country]\npublic = true\nprimary_key = [\"code\"]\n";

// Every kind of fact on tables that lead to each other, first without statistics, then with many rows and statistics.
TEST_P(OneScan, ReadsEachTableOnce) {
  const auto whole = SqlType::integer(32);
  create("person", {{"pid", whole}, {"born", whole}});
  create("visit", {{"id", whole}, {"who", whole}, {"age", whole}, {"ward", whole}, {"house", whole}});
  create("bill", {{"visit_id", whole}});
  create("country", {{"code", whole}});
  read(everything);
  EXPECT_EQ(statements.size(), 2u) << "country leads nowhere";
  for (const char* table : {"person", "visit", "bill", "country"}) EXPECT_EQ(scans_of(table), 1) << table;

  const std::string numbers = is_postgres() ? "generate_series(0, 49999) AS g(i)"
                                            : "(SELECT CAST(i AS INTEGER) AS i FROM range(50000) AS r(i)) AS g";
  run("INSERT INTO person SELECT i, 1900 + i % 120 FROM " + numbers);
  run("INSERT INTO visit SELECT i, i, i % 100, i % 3, i % 3 FROM " + numbers);
  run("INSERT INTO bill SELECT i + 1 FROM " + numbers);
  run("ANALYZE");
  for (const char* table : {"person", "visit", "bill", "country"}) EXPECT_EQ(scans_of(table), 1) << table;
  const auto found = counts();
  EXPECT_EQ(found.at("visit"), std::pair(0L, 50000L));
  EXPECT_EQ(found.at("owner_through (visit_id) to visit"), std::pair(1L, 1L));
  EXPECT_EQ(found.at("columns.age step"), std::pair(99L, 0L));
  EXPECT_EQ(found.count("dependency ward -> house"), 0u);
}

TEST_P(OneScan, ReadsNoTableThatHasNothingToLookUp) {
  create("t", {{"a", SqlType::integer(32)}});
  catalog.tables[0].unique_keys = {{"a"}};
  catalog.tables[0].columns[0].not_null = true;
  read("[tables.t]\nrows = \"replace\"\nprimary_key = [\"a\"]\n[tables.t.columns]\na = { step = 1 }\n");
  EXPECT_TRUE(statements.empty());
}

INSTANTIATE_TEST_SUITE_P(On, OneScan, ::testing::ValuesIn(all_dialects()),
                         [](const auto& info) { return info.param == &duckdb_dialect() ? "DuckDb" : "PostgreSql"; });

}  // namespace
}  // namespace tacit
