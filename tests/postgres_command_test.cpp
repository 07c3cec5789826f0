// The command line on a real PostgreSQL server, and everything that can go wrong there: each a sentence, the right exit
// code, and a ledger that is right afterwards.

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "answer_query.hpp"
#include "cli/process.hpp"
#include "cli/world.hpp"
#include "support/policy_head.hpp"
#include "support/postgres_server.hpp"
#include "support/temporary_folder.hpp"
#include "support/time_limit.hpp"

namespace tacit::cli {
namespace {

using testing::PostgresServer;

constexpr const char* count_sql = "SELECT count(*) FROM visit";

const std::string sections = R"(timeout = "50s"
[ledger]
path = "visits.ledger"
)" + testing::budget_section({.epsilon = 50.0}) +
                             R"([tables.visit]
rows = "add-remove"
primary_key = ["id"]
[tables.visit.columns]
ward = { values = ["east", "west"] }
age = { min = 0, max = 100 }
)";

// A server with a database of visits, read by the role `reader` with the password `right`, and a folder with its
// policy.
class PostgresCommand : public ::testing::Test {
 protected:
  PostgresCommand() {
    PostgresServer& server = PostgresServer::shared();
    server.start();
    database_ = server.create_database("visits");
    server.run("postgres", {"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'reader') THEN "
                            "CREATE ROLE reader LOGIN PASSWORD 'right'; END IF; END $$"});
    run(
        {"CREATE TABLE visit AS SELECT i AS id, CASE WHEN i % 4 = 0 THEN 'east' ELSE 'west' END AS ward, i % 100 AS "
         "age, "
         "'" +
             std::string(secret) + "'::text AS note FROM generate_series(0, " + std::to_string(visits - 1) + ") t(i)",
         "GRANT SELECT ON visit TO reader"});
    setenv("PGPASSWORD", "right", 1);
    write_policy(server.tcp_url("reader", database_));
  }
  ~PostgresCommand() override { unsetenv("PGPASSWORD"); }

  void run(const std::vector<std::string>& statements) const { PostgresServer::shared().run(database_, statements); }

  std::string policy() const { return folder_.file("policy.toml"); }
  void write_policy(const std::string& url, const std::string& more = "") const {
    folder_.write("policy.toml", testing::engine_section(url) + sections + more);
  }

  std::vector<std::string> words(const std::string& sql) const { return {"query", "-p", policy(), sql}; }
  Finished ask(const std::string& sql = count_sql) const { return tacit(words(sql)); }

  double spent() const {
    const Finished shown = tacit({"ledger", "show", "-p", policy()});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    return spent_by(shown.out, "ana");
  }

  // How many statements the role runs on the server.
  static std::string running() {
    return PostgresServer::shared()
        .rows("postgres",
              "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active' AND query "
              "LIKE 'SELECT%COUNT%slow%'")[0][0]
        .value();
  }
  static std::string backend_of_the_statement() {
    return PostgresServer::shared()
        .rows("postgres",
              "SELECT pid FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active' AND query "
              "LIKE 'SELECT%COUNT%slow%'")[0][0]
        .value();
  }
  static void wait_until_running() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (running() != "1" && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(running(), "1");
  }

  void expect_failure(const Finished& finished, int exit_code, const std::string& part) const {
    EXPECT_EQ(finished.exit_code, exit_code) << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(finished.err.rfind("error: ", 0), 0u) << finished.err;
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    EXPECT_NE(finished.err.find(part), std::string::npos) << finished.err;
    for (const char* word : {secret, "right", "FATAL", "SQLSTATE", "libpq", "LINE 1"}) {
      EXPECT_EQ(finished.err.find(word), std::string::npos) << finished.err;
    }
  }

  testing::TemporaryFolder folder_;
  std::string database_;
};

// A view whose count takes minutes.
constexpr const char* slow_view =
    "CREATE VIEW slow AS SELECT id FROM visit, LATERAL (SELECT pg_sleep(0.05 + 0 * id)) s";
constexpr const char* slow_policy = "[tables.slow]\nrows = \"add-remove\"\n";

TEST_F(PostgresCommand, AnswersExplainsAndChecks) {
  const Finished checked = tacit({"policy", "check", policy()});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_EQ(checked.out.find("right"), std::string::npos);
  const Finished answered = ask("SELECT ward, count(*), sum(age) FROM visit GROUP BY ward");
  EXPECT_EQ(answered.exit_code, 0) << answered.err;
  EXPECT_NE(answered.out.find("east"), std::string::npos) << answered.out;
  const Finished explained = tacit({"explain", "-p", policy(), "--analyze", count_sql});
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_NE(explained.out.find(std::to_string(visits)), std::string::npos) << explained.out;
  EXPECT_DOUBLE_EQ(spent(), 1.0);
}

TEST_F(PostgresCommand, PasswordsInTheUrlWorkAndAreNeverShown) {
  unsetenv("PGPASSWORD");
  write_policy(PostgresServer::shared().tcp_url("reader:right", database_));
  const Finished answered = ask();
  EXPECT_EQ(answered.exit_code, 0) << answered.err;
  const Finished checked = tacit({"policy", "check", policy()});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_NE(checked.err.find("holds a password"), std::string::npos) << checked.err;
  EXPECT_EQ((checked.out + checked.err).find("right"), std::string::npos) << checked.out << checked.err;
}

TEST_F(PostgresCommand, SaysWhyItCannotConnect) {
  setenv("PGPASSWORD", "wrong", 1);
  expect_failure(ask(), 5, "password");
  unsetenv("PGPASSWORD");
  expect_failure(ask(), 5, "PGPASSWORD");
  setenv("PGPASSWORD", "right", 1);
  PostgresServer& server = PostgresServer::shared();
  write_policy("postgresql://reader@no-such-host.invalid/x");
  expect_failure(ask(), 5, "host");
  write_policy("postgresql://reader@127.0.0.1:1/x");
  expect_failure(ask(), 5, "server");
  write_policy(server.tcp_url("reader", "no_such_database"));
  expect_failure(ask(), 5, "database");
  write_policy(server.tcp_url("reader", database_, "sslmode=require"));
  expect_failure(ask(), 5, "TLS");
  write_policy(server.tcp_url("reader", database_, "nonsense=1"));
  expect_failure(ask(), 2, "url");
  EXPECT_FALSE(std::filesystem::exists(folder_.file("visits.ledger"))) << "nothing was asked, nothing is recorded";
}

TEST_F(PostgresCommand, ATableThatMayNotBeReadIsNamed) {
  run({"CREATE TABLE ward (name text PRIMARY KEY)"});
  write_policy(PostgresServer::shared().tcp_url("reader", database_),
               "[tables.ward]\npublic = true\nprimary_key = [\"name\"]\n");
  expect_failure(tacit({"policy", "check", policy()}), 2, "ward");
  expect_failure(ask(), 2, "GRANT SELECT");
}

// What changes between opening and asking, in one process.
TEST_F(PostgresCommand, ATableThatChangedSinceTheCheckIsNotAsked) {
  const auto expect = [&](const std::vector<std::string>& change, const std::string& part) {
    auto opened = open_policy(policy());
    ASSERT_TRUE(opened) << to_line(opened.error());
    run(change);
    const auto answer = answer_query(*opened, {count_sql, {}, Epsilon(1.0), {}});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, FailureCode::engine);
    EXPECT_NE(to_line(answer.error()).find(part), std::string::npos) << to_line(answer.error());
    EXPECT_DOUBLE_EQ(spent(), 0.0);
  };
  expect({"ALTER TABLE visit ALTER COLUMN age TYPE numeric(20,0)"}, "visit");
  expect({"REVOKE SELECT ON visit FROM reader"}, "visit");
  run({"GRANT SELECT ON visit TO reader"});
  expect({"ALTER TABLE visit RENAME TO gone"}, "visit");
}

TEST_F(PostgresCommand, AServerThatIsStoppedMidQueryChargesTheQuestion) {
  run({slow_view, "GRANT SELECT ON slow TO reader"});
  write_policy(PostgresServer::shared().tcp_url("reader", database_), slow_policy);
  double charged = 0.0;
  for (const int how : {SIGINT, SIGQUIT, SIGKILL}) {
    Process asking(words("SELECT count(*) FROM slow"));
    wait_until_running();
    PostgresServer::shared().stop(how);
    expect_failure(asking.wait(), 5, "server");
    expect_failure(ask(), 5, "server");
    PostgresServer::shared().start();
    EXPECT_DOUBLE_EQ(spent(), ++charged) << "the engine may have answered: what was reserved stays spent";
  }
  EXPECT_EQ(ask().exit_code, 0);
}

TEST_F(PostgresCommand, CtrlCAndTimeoutsStopTheStatementOnTheServer) {
  run({slow_view, "GRANT SELECT ON slow TO reader"});
  const std::string url = PostgresServer::shared().tcp_url("reader", database_);
  write_policy(url, slow_policy);
  Process asking(words("SELECT count(*) FROM slow"));
  wait_until_running();
  asking.signal(SIGINT);
  EXPECT_NE(asking.wait().exit_code, 0);
  EXPECT_EQ(running(), "0");

  std::ofstream(policy()) << "[engine]\nurl = \"" << url << "\"\n"
                          << std::string(sections).replace(0, 15, "timeout = \"1s\"") << slow_policy;
  expect_failure(ask("SELECT count(*) FROM slow"), 5, "within 1 s");
  EXPECT_EQ(running(), "0");
  EXPECT_DOUBLE_EQ(spent(), 2.0) << "the statement began both times";
}

// The backend hears neither its own clock nor a request to stop.
TEST_F(PostgresCommand, TheDeadlineHoldsWhenTheServerIsDeaf) {
  run({slow_view, "GRANT SELECT ON slow TO reader"});
  const std::string url = PostgresServer::shared().tcp_url("reader", database_);
  write_policy(url, slow_policy);
  const auto ends = [&](Process& process, const std::string& part, const std::function<void()>& disturb) {
    wait_until_running();
    const auto backend = static_cast<pid_t>(std::stoi(backend_of_the_statement()));
    ASSERT_EQ(kill(backend, SIGSTOP), 0);
    const auto begin = std::chrono::steady_clock::now();
    disturb();
    expect_failure(process.wait(), 5, part);
    EXPECT_LT(testing::seconds_since(begin), testing::time_limit(8));
    EXPECT_EQ(kill(backend, SIGCONT), 0);
    const Finished history = tacit({"ledger", "show", "-p", policy(), "--history", "1"});
    EXPECT_NE(history.out.find("failed"), std::string::npos) << history.out;
    run({"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid = " + std::to_string(backend)});
  };
  Process interrupted(words("SELECT count(*) FROM slow"));
  ends(interrupted, "what was charged stays charged", [&] { interrupted.signal(SIGINT); });
  std::ofstream(policy()) << "[engine]\nurl = \"" << url << "\"\n"
                          << std::string(sections).replace(0, 15, "timeout = \"3s\"") << slow_policy;
  Process hasty(words("SELECT count(*) FROM slow"));
  ends(hasty, "did not finish within 3 s", [] {});
}

// Tacit's own statements cannot fail on a row, but a view of the owner can. The words of such an error are private.
TEST_F(PostgresCommand, AViewThatFailsOnARowSaysNothingOfIt) {
  run(
      {"CREATE FUNCTION fail_with(code text, value text) RETURNS integer LANGUAGE plpgsql AS "
       "$$ BEGIN RAISE EXCEPTION 'value %', value USING ERRCODE = code; END $$",
       "CREATE VIEW range_view AS SELECT (id * 10000)::smallint AS small, note FROM visit",
       "CREATE VIEW serial_view AS SELECT fail_with('40001', note) AS f FROM visit",
       "CREATE VIEW odd_view AS SELECT fail_with('P0099', note) AS f FROM visit",
       "GRANT SELECT ON range_view, serial_view, odd_view TO reader"});
  std::string tables;
  for (const char* view : {"range_view", "serial_view", "odd_view"}) {
    tables += "[tables." + std::string(view) + "]\nrows = \"add-remove\"\n";
  }
  write_policy(PostgresServer::shared().tcp_url("reader", database_), tables);
  expect_failure(ask("SELECT count(small) FROM range_view WHERE small > 3"), 5, "range");
  expect_failure(ask("SELECT count(*) FROM serial_view WHERE f = 1"), 5, "again");
  expect_failure(ask("SELECT count(*) FROM odd_view WHERE f = 1"), 5, "the view cannot fail on any row");
  EXPECT_DOUBLE_EQ(spent(), 3.0);
}

TEST_F(PostgresCommand, WideTablesAndReservedWordsAreTablesLikeAnyOther) {
  std::string columns;
  for (int i = 1; i <= 1600; ++i) columns += (i == 1 ? "" : ", ") + ("c" + std::to_string(i)) + " integer";
  run({"CREATE TABLE wide (" + columns + ")", "INSERT INTO wide (c1, c1600) VALUES (1, 7)",
       "CREATE TABLE \"select\" (\"from\" integer, \"Group\" text)", "INSERT INTO \"select\" VALUES (3, 'a')",
       "GRANT SELECT ON wide, \"select\" TO reader"});
  write_policy(
      PostgresServer::shared().tcp_url("reader", database_),
      "[tables.wide]\nrows = \"add-remove\"\n[tables.wide.columns]\nc1600 = { min = 0, max = 10 }\n"
      "[tables.'\"select\"']\nrows = \"add-remove\"\n[tables.'\"select\"'.columns]\n'\"from\"' = { min = 0, max "
      "= 5 }\n'\"Group\"' = { values = [\"a\"] }\n");
  EXPECT_EQ(ask("SELECT sum(c1600) FROM wide WHERE c1 = 1").exit_code, 0);
  const Finished answered = ask("SELECT \"Group\", sum(\"from\") FROM \"select\" GROUP BY \"Group\"");
  EXPECT_EQ(answered.exit_code, 0) << answered.err;
}

// Rounded to declared digits, forty-one keys that the server keeps apart are one: nothing may rest on them.
TEST_F(PostgresCommand, KeysOfNumbersWithoutDigitsAreLookedUp) {
  run({"CREATE TABLE rate (k numeric PRIMARY KEY, name text)",
       "INSERT INTO rate SELECT 1 + i * 0.0001, 'n' || i FROM generate_series(0, 40) i",
       "CREATE TABLE paid (id integer PRIMARY KEY, k numeric)", "INSERT INTO paid VALUES (1, 1)",
       "GRANT SELECT ON rate, paid TO reader"});
  write_policy(PostgresServer::shared().tcp_url("reader", database_),
               "[tables.rate]\npublic = true\nprimary_key = [\"k\"]\n[tables.rate.columns]\nk = { type = "
               "\"decimal(5,2)\" }\n[tables.paid]\nrows = \"add-remove\"\n[tables.paid.columns]\nk = { type = "
               "\"decimal(5,2)\" }\n");
  expect_failure(ask("SELECT count(*) FROM paid JOIN rate ON paid.k = rate.k"), 3, "not unique in the data");
  expect_failure(tacit({"query", "-p", policy(), "SELECT median(k) FROM paid"}), 3, "bounds");
  EXPECT_EQ(ask("SELECT count(*) FROM paid WHERE k > 0.5").exit_code, 0);
}

// One person in eight spellings would be eight people. A view in which everyone has one is the way out.
TEST_F(PostgresCommand, AnOwnerWithSeveralSpellingsIsRefused) {
  run({"CREATE EXTENSION citext", "CREATE TABLE person (email citext PRIMARY KEY)", "INSERT INTO person VALUES ('ann')",
       "CREATE TABLE trip (email citext REFERENCES person)",
       "INSERT INTO trip VALUES ('ann'), ('Ann'), ('aNn'), ('anN'), ('ANn'), ('AnN'), ('aNN'), ('ANN')",
       "CREATE VIEW tidy_trip AS SELECT lower(email) AS email FROM trip",
       "GRANT SELECT ON person, trip, tidy_trip TO reader"});
  const std::string url = PostgresServer::shared().tcp_url("reader", database_);
  write_policy(url, "[tables.trip]\nowner = \"email\"\n");
  expect_failure(ask("SELECT COUNT(DISTINCT email) FROM trip"), 2, "one person may be spelled in several ways");
  write_policy(url, "[tables.tidy_trip]\nowner = \"email\"\n");
  EXPECT_EQ(ask("SELECT COUNT(DISTINCT email) FROM tidy_trip").exit_code, 0);
}

// A thousand rows with the declared key would move the sum a thousand times as far as the noise hides.
TEST_F(PostgresCommand, KeysOfPublicTablesAreLookedUpForMetricQueriesToo) {
  run({"CREATE TABLE ship (id integer PRIMARY KEY, port integer, load integer)", "INSERT INTO ship VALUES (1, 1, 5)",
       "CREATE TABLE port (id integer, name text)", "INSERT INTO port SELECT 1, 'p' FROM generate_series(1, 1000)",
       "GRANT SELECT ON ship, port TO reader"});
  write_policy(PostgresServer::shared().tcp_url("reader", database_),
               "[tables.ship]\nprimary_key = [\"id\"]\nmetric = \"load\"\npublic_columns = [\"id\", \"port\"]\n"
               "[tables.port]\npublic = true\nprimary_key = [\"id\"]\n");
  const std::string sql = "SELECT SUM(load) FROM ship JOIN port ON ship.port = port.id";
  expect_failure(ask(sql), 3, "the declared primary_key of public table `port` is not unique in the data");
  EXPECT_DOUBLE_EQ(spent(), 0.0);
  run({"TRUNCATE port", "INSERT INTO port VALUES (1, 'p')"});
  EXPECT_EQ(ask(sql).exit_code, 0);
}

// What a role sees under row-level security may depend on other rows, even how many there are.
TEST_F(PostgresCommand, TablesUnderRowLevelSecurityAreNotAsked) {
  run({"ALTER TABLE visit ENABLE ROW LEVEL SECURITY", "CREATE POLICY own ON visit USING (age > 50)"});
  expect_failure(ask(), 2, "row-level security");
}

// More columns than a server returns: told by the text alone, so it costs nothing.
TEST_F(PostgresCommand, TooManyAggregatesAreRefusedBeforeTheyAreCharged) {
  std::string sql = "SELECT count(*)";
  for (int i = 0; i < 900; ++i) sql += ", avg(age + " + std::to_string(i) + ")";
  expect_failure(ask(sql + " FROM visit"), 3, "more than 1600 columns");
  EXPECT_DOUBLE_EQ(spent(), 0.0);
}

// The ledger knows the database, not the way to it.
TEST_F(PostgresCommand, AnotherDatabaseDoesNotGetThisLedger) {
  EXPECT_EQ(ask().exit_code, 0);
  write_policy(PostgresServer::shared().url(database_));
  EXPECT_EQ(ask().exit_code, 0) << "the same database through the socket";
  EXPECT_DOUBLE_EQ(spent(), 2.0);
  const std::string other = PostgresServer::shared().create_database("other");
  PostgresServer::shared().run(other, {"CREATE TABLE visit (id integer, ward text, age integer)"});
  write_policy(PostgresServer::shared().url(other));
  expect_failure(ask(), 6, "tacit ledger adopt");
  expect_failure(tacit({"ledger", "adopt", "-p", policy(), "--reason", "upgrade"}), 2, "--yes");

  // The owner says that it is the same data: what was spent stays spent.
  EXPECT_EQ(tacit({"ledger", "adopt", "-p", policy(), "--yes", "--reason", "upgraded server"}).exit_code, 0);
  EXPECT_DOUBLE_EQ(spent(), 2.0);
  EXPECT_NE(tacit({"ledger", "show", "-p", policy()}).out.find("upgraded server"), std::string::npos);
  expect_failure(tacit({"ledger", "adopt", "-p", policy(), "--yes", "--reason", "again"}), 2, "already");
  write_policy(PostgresServer::shared().url(database_));
  expect_failure(ask(), 6, "ledger");
}

}  // namespace
}  // namespace tacit::cli
