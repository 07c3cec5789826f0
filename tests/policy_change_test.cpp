// The owner edits the policy between two questions: how it is written changes no account, a change of its meaning is
// told, and nothing that was spent is forgotten unseen.

#include <gtest/gtest.h>

#include <fstream>

#include "answer/print_answer.hpp"
#include "answer_query.hpp"
#include "budget/ledger_schema.hpp"
#include "budget/sqlite.hpp"
#include "support/policy_head.hpp"
#include "support/required.hpp"
#include "support/test_database.hpp"

namespace tacit::testing {
namespace {

const std::string budget = budget_section({.epsilon = 3, .analysts = {"ana", "bo"}});

constexpr const char* count = "SELECT COUNT(*) FROM ship WHERE lat > 3";

class PolicyChange : public ::testing::Test {
 protected:
  void SetUp() override {
    database_.run({"CREATE TABLE ship (id INTEGER PRIMARY KEY, flag TEXT, name TEXT, lat INTEGER, lon INTEGER)",
                   "INSERT INTO ship VALUES (1, 'x', 'a', 1, 2), (2, 'y', 'b', 5, 6)",
                   "CREATE TABLE port (id INTEGER PRIMARY KEY, depth INTEGER)", "INSERT INTO port VALUES (1, 7)",
                   "CREATE TABLE crew (id INTEGER, person INTEGER, boss INTEGER)",
                   "INSERT INTO crew VALUES (1, 10, 20), (2, 11, 20)"});
  }

  Answer ask(const std::string& tables, const std::string& sql = count, const char* analyst = "ana") {
    Connection opened = required(open_policy(database_.write_policy(budget + tables)), tables);
    return std::get<Answer>(required(answer_query(opened, {sql, analyst, Epsilon(0.5), {}}), tables));
  }

  const TestDatabase database_{EngineKind::duckdb};
};

constexpr const char* ship = R"T([tables.ship]
metric = "l1(lat, lon)"
public_columns = ["id", "flag"]
sensitive_rows = "flag <> 'PUBLIC' AND id > 0"
)T";

TEST_F(PolicyChange, SpellingOpensNoAccount) {
  double left = 3.0;
  for (const char* spelling : {ship,
                               R"T([tables.ship]
metric = "l1(lat, lon)"
public_columns = ["flag", "id"]
sensitive_rows = "flag <> 'PUBLIC' AND id > 0"
)T",
                               R"T([tables."main.SHIP"]
metric = " l1( 1.0 * lon , l1(lat) )"
rows_combine = "lp(1)"
public_columns = ["flag", "ID"]
sensitive_rows = "(ID>0)   and FLAG <> 'PUBLIC'"
[metric]
tables_combine = "l2"
)T",
                               R"T([tables.ship]
metric = "0.5 * l1(2 * lat, linf(2.00 * lon))"
public_columns = ["flag", "id"]
sensitive_rows = "id > 0 AND flag != 'PUBLIC'"
)T",
                               R"T([tables.port]
metric = "depth"
public_columns = ["id"]
[tables.ship]
metric = "l1(lat, lon)"
public_columns = ["id", "flag"]
sensitive_rows = "flag <> 'PUBLIC' AND id > 0"
[tables.crew]
rows = "replace"
)T"}) {
    const Answer answer = ask(spelling);
    left -= 0.5;
    EXPECT_EQ(answer.remaining.epsilon.value(), left) << spelling;
    EXPECT_TRUE(answer.account_notes.empty()) << answer.account_notes[0];
  }
}

TEST_F(PolicyChange, TablesThatAQuestionDoesNotReadOpenNoAccount) {
  const std::string port = "[tables.port]\nmetric = \"depth\"\npublic_columns = [\"id\"]\n";
  EXPECT_EQ(ask(ship + port).remaining.epsilon.value(), 2.5);
  EXPECT_EQ(ask(port, "SELECT SUM(depth) FROM port").remaining.epsilon.value(), 2.0) << "ship was taken out";
  database_.run({"ALTER TABLE port RENAME TO harbour"});
  const std::string harbour = "[tables.harbour]\nmetric = \"depth\"\npublic_columns = [\"id\"]\n";
  const Answer renamed = ask(ship + harbour, "SELECT SUM(depth) FROM harbour");
  EXPECT_EQ(renamed.remaining.epsilon.value(), 1.5) << "a renamed table has not been forgotten";
  // The metric of ship changes: what was asked about the harbour stays, and so does its account.
  const Answer other = ask("[tables.ship]\nmetric = \"l1(lat, ln(lon))\"\ncolumns.lon = { min = 1 }\n" + harbour,
                           "SELECT SUM(depth) FROM harbour");
  EXPECT_EQ(other.remaining.epsilon.value(), 1.5) << "0.5 of ship is apart now, 3 * 0.5 are here";
  EXPECT_TRUE(other.account_notes.empty());
}

TEST_F(PolicyChange, AChangeOfMeaningIsToldOnce) {
  EXPECT_EQ(ask(ship).remaining.epsilon.value(), 2.5);
  const char* other = "[tables.ship]\nmetric = \"l1(lat, ln(lon))\"\ncolumns.lon = { min = 1 }\n";
  const Answer told = ask(other);
  EXPECT_EQ(told.remaining.epsilon.value(), 2.5) << "the distances do not compare";
  ASSERT_EQ(told.account_notes.size(), 1u);
  for (const char* part : {"metric/l1 of ship", "l1(lat, lon)", "epsilon 0.5", "does not count"}) {
    EXPECT_NE(told.account_notes[0].find(part), std::string::npos) << part << ": " << told.account_notes[0];
  }
  EXPECT_NE(print_answer(told, Format::table).find("note: the policy promised"), std::string::npos);
  EXPECT_NE(print_answer(told, Format::json).find("\"notes\":[\"the policy promised"), std::string::npos);
  EXPECT_TRUE(ask(other).account_notes.empty()) << "once";
  EXPECT_EQ(ask(other, count, "bo").account_notes.size(), 1u) << "to each analyst";
  EXPECT_EQ(ask(ship).remaining.epsilon.value(), 2.0) << "back again: what was spent is still there";
}

// What is left follows from all tables of the account, so whoever asks about another one is told.
TEST_F(PolicyChange, AChangeOfOneTableIsToldForAnother) {
  const std::string port = "[tables.port]\nmetric = \"depth\"\npublic_columns = [\"id\"]\n";
  ask(ship + port);
  const std::string changed =
      "[tables.ship]\nmetric = \"l1(ln(lat), lon)\"\npublic_columns = [\"id\", \"flag\"]\n"
      "columns.lat = { min = 1, max = 90 }\n";
  const Answer told = ask(changed + port, "SELECT SUM(depth) FROM port");
  ASSERT_FALSE(told.account_notes.empty());
  EXPECT_NE(told.account_notes.front().find("the policy promised something else before"), std::string::npos);
}

TEST_F(PolicyChange, EarlierSpendingCountsWhereTheDistancesCompare) {
  const auto with = [](const char* metric) {
    return std::string("[tables.ship]\npublic_columns = [\"id\", \"flag\"]\nmetric = \"") + metric + "\"\n";
  };
  EXPECT_EQ(ask(with("l1(lat, lon)")).remaining.epsilon.value(), 2.5);
  const Answer finer = ask(with("0.5 * l1(lat, lon)"));
  EXPECT_NEAR(finer.remaining.epsilon.value(), 1.5, 1e-6) << "0.5 counts twice";
  ASSERT_EQ(finer.account_notes.size(), 1u);
  EXPECT_NE(finer.account_notes[0].find("counts as 2 times"), std::string::npos) << finer.account_notes[0];
  const Answer more_public =
      ask("[tables.ship]\npublic_columns = [\"id\", \"flag\", \"name\"]\nmetric = \"l1(lat, lon)\"\n");
  EXPECT_NEAR(more_public.remaining.epsilon.value(), 3 - 0.5 - 0.25 - 0.5, 1e-6);
  EXPECT_EQ(more_public.account_notes.size(), 2u);
  const Answer fewer_public = ask("[tables.ship]\npublic_columns = [\"id\"]\nmetric = \"l1(lat, lon)\"\n");
  EXPECT_EQ(fewer_public.remaining.epsilon.value(), 2.5) << "flag was published: no number tells what that cost";
  EXPECT_EQ(fewer_public.account_notes.size(), 3u);
}

TEST_F(PolicyChange, OwnersAndModelsAreToldToo) {
  const char* crew = "SELECT COUNT(*) FROM crew";
  EXPECT_EQ(ask("[tables.crew]\nowner = \"person\"\n", crew).remaining.epsilon.value(), 2.5);
  const Answer boss = ask("[tables.crew]\nowner = \"boss\"\n", crew);
  EXPECT_EQ(boss.remaining.epsilon.value(), 2.0) << "counted in full";
  ASSERT_EQ(boss.account_notes.size(), 1u);
  EXPECT_NE(boss.account_notes[0].find("crew by \"person\""), std::string::npos) << boss.account_notes[0];
  const Answer rows = ask("[tables.crew]\nrows = \"add-remove\"\n", crew);
  EXPECT_EQ(rows.remaining.epsilon.value(), 2.5);
  EXPECT_EQ(rows.account_notes.size(), 2u);
  const Answer replace = ask("[tables.crew]\nrows = \"replace\"\n", "SELECT COUNT(*) FROM crew WHERE person > 10");
  EXPECT_EQ(replace.account_notes.size(), 3u);
  EXPECT_TRUE(ask("[tables.crew]\npublic = true\n[tables.port]\nrows = \"replace\"\n",
                  "SELECT COUNT(*) FROM port WHERE depth > 1")
                  .account_notes.empty())
      << "about another table";
}

// A ledger of format 1 knows the policy's own words. It goes on where they are the same.
TEST_F(PolicyChange, ALedgerOfFormatOneGoesOn) {
  const auto write_old = [&](const std::string& account) {
    const std::string path = (database_.folder() / "policy.ledger").string();
    std::filesystem::remove(path);
    std::filesystem::remove(path + "-wal");
    { ask(ship); }
    const std::string identity = SqliteFile::open(path).value().text("SELECT value FROM meta").value();
    std::filesystem::remove(path);
    std::filesystem::remove(path + "-wal");
    std::filesystem::remove(path + "-shm");
    std::ofstream(path).close();
    auto old = SqliteFile::open(path).value();
    ASSERT_TRUE(old.run_script("BEGIN"));
    ASSERT_TRUE(old.run_script(ledger_schema));
    ASSERT_TRUE(old.run("INSERT INTO meta VALUES ('engine_identity', ?1)", {identity}));
    ASSERT_TRUE(old.run("INSERT INTO events VALUES (1, '', 'asked', 1, 'ana', '', 0, 0, '')"));
    ASSERT_TRUE(
        old.run("INSERT INTO events VALUES (2, '', 'reserved', 1, 'ana', ?1, 1000000000, 0, 'as it was')", {account}));
    ASSERT_TRUE(old.run_script("COMMIT"));
  };
  write_old("metric/l1/ship:l1:l1(lat, lon),id,flag?flag <> 'PUBLIC' AND id > 0");
  const Answer same = ask(ship);
  EXPECT_EQ(same.remaining.epsilon.value(), 1.5);
  EXPECT_TRUE(same.account_notes.empty());
  write_old(
      "metric/l1/port:l1:depth,id/ship:l1:l1(1.0 * lon, lat),flag,id?id/1 > 0 AND flag <> 'PUBLIC'/crew:l1:person");
  EXPECT_TRUE(ask(ship).account_notes.size() == 1) << "id/1 is another condition";
  write_old("metric/l2/port:l1:depth,id/ship:l1:l1(1.0 * lon, lat),flag,id?id>0 AND flag <> 'PUBLIC'/crew:l1:person");
  const Answer spelt = ask(ship);
  EXPECT_EQ(spelt.remaining.epsilon.value(), 1.5) << "the same in other words, among other tables";
  EXPECT_TRUE(spelt.account_notes.empty());
  write_old("metric/l1/ship:l1:l1(lat, lon),flag");
  const Answer fewer = ask(ship);
  EXPECT_EQ(fewer.remaining.epsilon.value(), 1.5) << "id is public and fewer rows are private: it counts in full";
  EXPECT_EQ(fewer.account_notes.size(), 1u);
  write_old("metric/l1/ship:l1:l1(lat, ");
  const Answer other = ask(ship);
  EXPECT_EQ(other.remaining.epsilon.value(), 2.5) << "it cannot be read";
  ASSERT_EQ(other.account_notes.size(), 1u) << "nothing is forgotten unseen";
  EXPECT_NE(other.account_notes[0].find("as it was"), std::string::npos);
  write_old("users");
  EXPECT_EQ(ask("[tables.crew]\nowner = \"person\"\n", "SELECT COUNT(*) FROM crew").remaining.epsilon.value(), 1.5);
  write_old("rows/add-remove");
  EXPECT_EQ(ask("[tables.crew]\nrows = \"add-remove\"\n", "SELECT COUNT(*) FROM crew").remaining.epsilon.value(), 1.5);
  write_old("rows/add-remove");
  EXPECT_EQ(ask("[tables.crew]\nowner = \"person\"\n", "SELECT COUNT(*) FROM crew").account_notes.size(), 1u);
}

// The loss from rounding is paid: on doubles nothing keeps two databases apart.
TEST_F(PolicyChange, EtaIsCharged) {
  database_.run({"CREATE TABLE tank (id INTEGER, level DOUBLE PRECISION)", "INSERT INTO tank VALUES (1, 0.5)"});
  const std::string tank =
      "[tables.tank]\nmetric = \"level\"\npublic_columns = [\"id\"]\n"
      "columns.level = { min = 0, max = 1 }\n";
  auto opened = open_policy(database_.write_policy(budget + tank));
  ASSERT_TRUE(opened.has_value());
  const Question question{"SELECT SUM(level * level) FROM tank", "ana", Epsilon(0.5), {}};
  const auto explained = explain_query(*opened, question, false);
  ASSERT_TRUE(explained.has_value()) << to_line(explained.error());
  EXPECT_GT(explained->eta, 0.0);
  EXPECT_EQ(explained->price.value() > 0.5, true);
  const auto told = answer_query(*opened, question);
  ASSERT_TRUE(told.has_value()) << to_line(told.error());
  const Answer& answer = std::get<Answer>(*told);
  EXPECT_EQ(answer.epsilon.value(), 0.5);
  EXPECT_EQ(answer.eta, explained->eta);
  EXPECT_GE(answer.spent.epsilon.value(), 0.5 + answer.eta);
  EXPECT_LE(answer.spent.epsilon.value(), 0.5 + answer.eta + 1e-12);
  EXPECT_LE(answer.remaining.epsilon.value(), 3.0 - answer.spent.epsilon.value());
  EXPECT_NE(print_answer(answer, Format::table).find("for rounding; both were charged"), std::string::npos);
  EXPECT_NE(print_answer(answer, Format::json).find("\"eta\":"), std::string::npos);
  EXPECT_NE(print_explanation(*explained, Format::json).find("\"price\":{\"epsilon\":0.5000"), std::string::npos);
  const auto second = opened->database->ledger().states(views_of(opened->database->accounts())).value();
  EXPECT_GE(second.front().spent.epsilon.value(), answer.spent.epsilon.value());
}

}  // namespace
}  // namespace tacit::testing
