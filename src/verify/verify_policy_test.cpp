#include "verify/verify_policy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "policy/against_catalog/apply_declared_decimals.hpp"
#include "policy/against_catalog/check_against_catalog.hpp"
#include "sql/dialects/dialects.hpp"
#include "support/plain_duckdb.hpp"
#include "support/policy_head.hpp"
#include "support/postgres_server.hpp"
#include "support/temporary_folder.hpp"

namespace tacit {
namespace {

constexpr const char* tables = R"([tables.person]
owner = "pid"
primary_key = ["pid"]
[tables.visit]
owner_through = { columns = ["who"], references = "person" }
primary_key = ["id"]
dependencies = ["ward -> house", "who ->[2] ward"]
[tables.visit.columns]
age = { min = 0, max = 120, step = 1 }
ward = { values = ["east", "west"] }
cost = { min = 0, step = 0.5 }
[tables.bill]
rows = "add-remove"
primary_key = ["visit"]
)";

const std::vector<std::string> sound = {
    "CREATE TABLE person(pid INTEGER PRIMARY KEY)",
    "CREATE TABLE visit(id INTEGER, who INTEGER, ward VARCHAR, house INTEGER, age INTEGER, cost DECIMAL(8,2))",
    "CREATE TABLE bill(visit INTEGER NOT NULL, UNIQUE (visit))",
    "INSERT INTO person VALUES (1), (2), (3)",
    "INSERT INTO visit VALUES (1, 1, 'east', 1, 0, 1.5), (2, 1, 'west', 2, 120, 2), (3, 2, 'east', 1, 60, 0), "
    "(4, NULL, NULL, NULL, NULL, NULL)",
};

// A real database of either kind, written by the test and then opened as the policy's engine.
class VerifyPolicy : public ::testing::TestWithParam<const Dialect*> {
 protected:
  // The findings that `statements` after the sound ones lead to, as printed, and what all_hold says of them.
  std::string verify(const std::vector<std::string>& statements, int* line_of_first = nullptr) {
    auto all = sound;
    all.insert(all.end(), statements.begin(), statements.end());
    auto policy = parse_policy(testing::engine_section(create(all)) + testing::budget_section({}) + tables,
                               folder_.file("p.toml"));
    if (!policy) return to_line(policy.error());
    auto engine = open_engine(*policy);
    if (!engine) return to_line(engine.error());
    auto catalog = (*engine)->catalog();
    if (!catalog) return to_line(catalog.error());
    apply_declared_decimals(*catalog, *policy);
    policy = check_against_catalog(std::move(*policy), *catalog);
    if (!policy) return to_line(policy.error());
    const auto findings = verify_policy(*policy, *catalog, **engine);
    if (!findings) return to_line(findings.error());
    const Status status = all_hold(*findings, *policy);
    if (!status && line_of_first != nullptr)
      *line_of_first = std::stoi(status.error().where.substr(status.error().where.rfind(':') + 1));
    return print_findings(*findings, *policy) + (status ? "" : to_line(status.error()));
  }

 private:
  std::string create(const std::vector<std::string>& statements) {
    if (GetParam() == &postgres_dialect()) {
      auto& server = testing::PostgresServer::shared();
      const std::string database = server.create_database();
      server.run(database, statements);
      return server.url(database);
    }
    const std::string file = fmt::format("d{}.duckdb", ++databases_);
    testing::PlainDuckDb database(folder_.file(file));
    for (const auto& sql : statements) database.run(sql);
    return "duckdb:" + file;
  }

  testing::TemporaryFolder folder_;
  int databases_ = 0;
};

TEST_P(VerifyPolicy, SaysWhatHoldsAndWhy) {
  EXPECT_EQ(verify({}),
            "table   what the policy says                  found\n"
            "------  -----------------------------  -----  ----------------------------------------\n"
            "person  primary_key (pid)              holds  enforced by the engine\n"
            "person  owner (pid)                    holds  enforced by the engine\n"
            "visit   primary_key (id)               holds  4 rows\n"
            "visit   owner_through (who) to person  holds  4 rows, 1 without an owner\n"
            "visit   dependency ward -> house       holds  4 rows\n"
            "visit   dependency who ->[2] ward      holds  4 rows\n"
            "visit   columns.age min, max           holds  4 rows\n"
            "visit   columns.age step               holds  true of every value of the column's type\n"
            "visit   columns.ward values            holds  4 rows\n"
            "visit   columns.cost min               holds  4 rows\n"
            "visit   columns.cost step              holds  4 rows\n"
            "bill    primary_key (visit)            holds  enforced by the engine\n"
            "12 facts: 12 hold\n");
}

TEST_P(VerifyPolicy, CountsWhatFailsAndNamesNoValue) {
  int line = 0;
  const std::string printed =
      verify({"INSERT INTO visit VALUES (1, 77777, 'zzsecretzz', 9, 121, 0.25), (1, 77777, 'zzsecretzz', 8, -1, -1), "
              "(NULL, 88888, 'east', 1, 5, 0), (NULL, 1, 'zzsecretzz', 8, 5, 0)"},
             &line);
  for (const char* part :
       {"primary_key (id)               FAILS  1 key occurs more than once (3 rows); 2 rows with NULL",
        "owner_through (who) to person  FAILS  2 keys (3 rows) lead to no row of person",
        "dependency ward -> house       FAILS  1 value of ward (3 rows) has more than 1 of house",
        "dependency who ->[2] ward      FAILS  1 value of who (3 rows) has more than 2 of ward",
        "columns.age min, max           FAILS  2 rows outside [0, 120]",
        "columns.ward values            FAILS  3 rows with another value",
        "columns.cost min               FAILS  1 row below 0.00",
        "columns.cost step              FAILS  1 pair of values nearer than the step", "12 facts: 4 hold, 8 fail\n",
        "error: 8 facts of the policy do not hold in the data ; "}) {
    EXPECT_NE(printed.find(part), std::string::npos) << part << '\n' << printed;
  }
  EXPECT_EQ(line, 12) << "the primary key of visit";
  for (const char* value : {"zzsecretzz", "77777", "88888"})
    EXPECT_EQ(printed.find(value), std::string::npos) << printed;
}

TEST(PrintFindings, SaysWhatWasNotChecked) {
  Policy policy;
  policy.tables.emplace_back().name.name = "t";
  EXPECT_EQ(print_findings({}, policy), "the policy states no fact that the data could refute\n");
  Finding finding;
  finding.fact.label = "primary_key (u)";
  finding.fact.known_by = KnownBy::nobody;
  finding.fact.obstacle = "column u is of a type Tacit does not compute with";
  EXPECT_NE(print_findings({finding}, policy).find("not checked  column u is of a type"), std::string::npos);
  EXPECT_NE(print_findings({finding}, policy).find("1 fact: 0 hold, 1 not checked\n"), std::string::npos);
  EXPECT_TRUE(all_hold({finding}, policy));
}

INSTANTIATE_TEST_SUITE_P(On, VerifyPolicy, ::testing::ValuesIn(all_dialects()),
                         [](const auto& info) { return info.param == &duckdb_dialect() ? "DuckDb" : "PostgreSql"; });

}  // namespace
}  // namespace tacit
