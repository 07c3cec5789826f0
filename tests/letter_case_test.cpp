// Names without quotes are read in lower case on every engine, by every command: a table that the database spells
// otherwise is another one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/process.hpp"
#include "support/test_database.hpp"

namespace tacit::cli {
namespace {

using tacit::testing::EngineKind;
using tacit::testing::every_engine;
using tacit::testing::name_of;
using tacit::testing::TestDatabase;

struct Named {
  const char* in_policy;  // the key of [tables.KEY], as TOML wants it
  const char* in_query;
  bool is_found;
};

// The database has "Visit", bed, the view "Seen" and "Clinic".room.
constexpr Named names[] = {
    {"visit", "visit", false},
    {"Visit", "Visit", false},
    {"VISIT", "\"VISIT\"", false},
    {"'\"Visit\"'", "\"Visit\"", true},
    {"'\"Visit\"'", "visit", false},
    {"'\"VISIT\"'", "\"VISIT\"", false},
    {"bed", "bed", true},
    {"BED", "Bed", true},
    {"'\"BED\"'", "\"BED\"", false},
    {"seen", "seen", false},
    {"'\"Seen\"'", "\"Seen\"", true},
    {"'clinic.room'", "clinic.room", false},
    {"'\"Clinic\".room'", "\"Clinic\".room", true},
    {"'\"Clinic\".Room'", "\"Clinic\".ROOM", true},
};

class LetterCase : public ::testing::TestWithParam<EngineKind> {
 protected:
  LetterCase() : database_(GetParam()) {
    database_.run({"CREATE TABLE \"Visit\" (id INTEGER PRIMARY KEY)", "CREATE TABLE bed (id INTEGER PRIMARY KEY)",
                   "CREATE VIEW \"Seen\" AS SELECT id FROM bed", "CREATE SCHEMA \"Clinic\"",
                   "CREATE TABLE \"Clinic\".room (id INTEGER PRIMARY KEY)"});
  }
  std::string policy_of(const std::string& table) const {
    return database_.write_policy(
        "[ledger]\npath = \"test.ledger\"\n[budget]\nepsilon = 1000\ndelta = 1e-6\n[budget.analysts]\n"
        "ana = { epsilon = 1000, delta = 1e-6 }\n[tables." +
        table + "]\nrows = \"add-remove\"\n");
  }
  TestDatabase database_;
};

TEST_P(LetterCase, EveryCommandFindsTheSameTables) {
  for (const Named& named : names) {
    SCOPED_TRACE(fmt::format("{} in the policy, {} in the query", named.in_policy, named.in_query));
    const std::string policy = policy_of(named.in_policy);
    const std::string sql = fmt::format("SELECT count(*) FROM {}", named.in_query);
    const Finished query = tacit({"query", "-p", policy, sql});
    const Finished explain = tacit({"explain", "-p", policy, sql});
    EXPECT_EQ(query.exit_code == 0, named.is_found) << query.err;
    EXPECT_EQ(explain.exit_code, query.exit_code) << explain.err;

    const Finished check = tacit({"policy", "check", policy});
    const Finished verify = tacit({"policy", "check", "--verify", policy});
    EXPECT_EQ(verify.exit_code, check.exit_code) << verify.err;
    // What the policy names is there for all of them, or for none.
    const bool is_missing = query.err.find("does not exist in the engine") != std::string::npos;
    EXPECT_EQ(check.exit_code == 2, is_missing) << check.err << query.err;
    EXPECT_EQ(explain.err.find("does not exist in the engine") != std::string::npos, is_missing) << explain.err;
  }
}

TEST_P(LetterCase, InitSpellsTablesSoThatTheyAreFound) {
  const Finished init = tacit(
      {"policy", "init", "--db",
       GetParam() == EngineKind::duckdb ? "duckdb:" + (database_.folder() / "test.duckdb").string() : database_.url()});
  ASSERT_EQ(init.exit_code, 0) << init.err;
  for (const char* header : {"[tables.'\"Visit\"']", "[tables.bed]", "[tables.'\"Seen\"']"}) {
    EXPECT_NE(init.out.find(header), std::string::npos) << header << '\n' << init.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, LetterCase, ::testing::ValuesIn(every_engine),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace tacit::cli
