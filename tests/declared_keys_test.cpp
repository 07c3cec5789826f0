// Keys that the engine does not enforce: what the owner verified or signed counts, as long as the data stay as they
// were.

#include "declared_keys.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "answer_query.hpp"
#include "cli/process.hpp"
#include "cli/world.hpp"
#include "plan_query.hpp"
#include "support/plain_duckdb.hpp"
#include "support/policy_head.hpp"
#include "support/postgres_server.hpp"

namespace tacit::cli {
namespace {

namespace fs = std::filesystem;
using tacit::testing::PlainDuckDb;

const std::string budget =
    testing::budget_section({.epsilon = 100, .defaults = "epsilon = 0.1"}) + "[users]\nmax_rows_per_group = 4\n";

// Whoever owns an item is found through visit, then person.
std::string tables(const std::string& ending, const std::string& of_visit = "") {
  const auto source = [&](const std::string& name) {
    return ending.empty() ? "" : "source = \"" + name + ending + "\"\n";
  };
  const auto columns = [&](const std::string& text) { return ending == ".csv" ? text : ""; };
  return "[tables.person]\nowner = \"pid\"\nprimary_key = [\"pid\"]\n" + source("person") +
         columns("columns.pid = { type = \"integer\" }\n") +
         "[tables.visit]\nowner_through = { columns = [\"who\"], references = \"person\" }\nprimary_key = [\"vid\"]\n" +
         of_visit + source("visit") +
         columns("columns.vid = { type = \"integer\" }\ncolumns.who = { type = \"integer\" }\n") +
         "[tables.item]\nowner_through = { columns = [\"visit\"], references = \"visit\" }\n" + source("item") +
         columns("columns.visit = { type = \"integer\" }\n");
}

constexpr const char* people = "SELECT range::INTEGER AS pid FROM range(50)";
constexpr const char* sound_visits = "SELECT range::INTEGER AS vid, (range % 50)::INTEGER AS who FROM range(200)";
constexpr const char* repeated_visits =
    "SELECT (range % 199)::INTEGER AS vid, (range % 50)::INTEGER AS who FROM range(200)";
constexpr const char* items = "SELECT (range % 200)::INTEGER AS visit FROM range(600)";
constexpr const char* question = "SELECT COUNT(*) FROM item";
constexpr const char* not_on_record =
    "and no check of the data as they are now is on record: a row could have two owners";

void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}
void expect_not_in(const std::string& part, const std::string& text) {
  EXPECT_EQ(text.find(part), std::string::npos) << text;
}

class DeclaredKeys : public ::testing::Test {
 protected:
  Finished verify() const { return tacit({"policy", "check", "--verify", world_.path("keys.toml")}); }
  Finished ask() const { return tacit({"query", "-p", world_.path("keys.toml"), question}); }
  Finished explain() const { return tacit({"explain", "-p", world_.path("keys.toml"), question}); }

  void write_policy(const std::string& url, const std::string& text) const {
    world_.write("keys.toml", "[engine]\nurl = \"" + url + "\"\n" + budget + text);
  }
  void write_file(const std::string& name, const std::string& sql) const {
    const std::string path = world_.path(name);
    const bool is_csv = path.ends_with(".csv");
    fs::remove(path);
    PlainDuckDb().run("COPY (" + sql + ") TO '" + path + "' (FORMAT " + (is_csv ? "csv, HEADER" : "parquet") + ")");
  }
  void write_files(const std::string& ending) const {
    write_file("person" + ending, people);
    write_file("visit" + ending, sound_visits);
    write_file("item" + ending, items);
  }
  std::string database(const std::string& of_visit = " TABLE visit AS " + std::string(sound_visits)) const {
    const std::string path = world_.path("keys.duckdb");
    PlainDuckDb file(path);
    file.run("CREATE TABLE person AS " + std::string(people));
    file.run("CREATE" + of_visit);
    file.run("CREATE TABLE item AS " + std::string(items));
    return path;
  }
  void expect_refused() const {
    const Finished refused = ask();
    EXPECT_EQ(refused.exit_code, 3) << refused.out << refused.err;
    expect_in(not_on_record, refused.err);
    expect_in("run `tacit policy check --verify`", refused.err);
  }
  void expect_answered() const {
    const Finished answered = ask();
    EXPECT_EQ(answered.exit_code, 0) << answered.err;
  }

  World world_;
};

// The first hour of an owner with a folder of files.
TEST_F(DeclaredKeys, OfAFolderOfParquetFilesCountOnceVerified) {
  write_files(".parquet");
  write_policy("duckdb:", tables(".parquet"));
  const Finished checked = tacit({"policy", "check", world_.path("keys.toml")});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  expect_in("refused unless `policy check --verify` has passed on the data as they are", checked.err);
  EXPECT_FALSE(world_.exists("keys.ledger")) << "a check alone leaves no file behind";
  expect_refused();

  const Finished verified = verify();
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  expect_in("recorded: answers may rest on the primary_key of main.person, main.visit", verified.out);
  expect_answered();
  const Finished explained = explain();
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  expect_in("the engine does not enforce the primary_key (vid) of `visit`; the database's owner verified it on 20",
            explained.out);
  expect_in("The promise covers databases in which the key is unique", explained.out);
  expect_in("the database's owner verified that key on 20", explained.out);
}

TEST_F(DeclaredKeys, AreForgottenWhenTheFileChangesWhateverTheCheckThenSays) {
  write_files(".parquet");
  write_policy("duckdb:", tables(".parquet"));
  ASSERT_EQ(verify().exit_code, 0);
  expect_answered();

  write_file("visit.parquet", repeated_visits);
  const Finished never_checked = ask();
  EXPECT_EQ(verify().exit_code, 2) << "the key is false";
  const Finished check_failed = ask();
  EXPECT_EQ(never_checked.exit_code, 3);
  EXPECT_EQ(check_failed.exit_code, 3);
  EXPECT_EQ(never_checked.err, check_failed.err) << "a refusal tells nothing about the data";
  expect_in(not_on_record, check_failed.err);

  write_file("visit.parquet", sound_visits);
  expect_refused();
  EXPECT_EQ(verify().exit_code, 0);
  expect_answered();

  const auto path = world_.path("visit.parquet");
  const auto time = fs::last_write_time(path);
  { std::ofstream(path, std::ios::app) << ' '; }
  fs::resize_file(path, fs::file_size(path) - 1);
  fs::last_write_time(path, time);
  expect_refused();  // size and time of the content are as they were, the time of the inode is not
}

TEST_F(DeclaredKeys, OfCsvFilesBelongToTheTypesTheyAreReadBy) {
  write_files(".csv");
  write_policy("duckdb:", tables(".csv"));
  expect_refused();
  ASSERT_EQ(verify().exit_code, 0);
  expect_answered();
  std::string other = tables(".csv");
  const std::string from = "columns.vid = { type = \"integer\" }";
  other.replace(other.find(from), from.size(), "columns.vid = { type = \"bigint\" }");
  write_policy("duckdb:", other);
  expect_refused();
}

TEST_F(DeclaredKeys, OfADatabaseFileCountUntilItOrItsLogChanges) {
  const std::string path = database();
  write_policy("duckdb:keys.duckdb", tables(""));
  expect_refused();
  ASSERT_EQ(verify().exit_code, 0);
  expect_answered();
  const auto size = fs::file_size(path);
  {
    PlainDuckDb file(path);
    file.run("PRAGMA disable_checkpoint_on_shutdown");
    file.run("INSERT INTO visit VALUES (0, 1)");
  }
  ASSERT_TRUE(fs::exists(path + ".wal"));
  EXPECT_EQ(fs::file_size(path), size);
  expect_refused();
  EXPECT_EQ(verify().exit_code, 2);
  expect_refused();
}

TEST_F(DeclaredKeys, OfAViewAreNotVerifiedButMayBeTrusted) {
  database(" VIEW visit AS " + std::string(sound_visits));
  write_policy("duckdb:keys.duckdb", tables(""));
  const Finished verified = verify();
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  expect_in("recorded: answers may rest on the primary_key of main.person until", verified.out);
  const Finished refused = ask();
  EXPECT_EQ(refused.exit_code, 3);
  expect_in("the engine does not enforce that table's primary_key: a row could have two owners", refused.err);
  expect_not_in("policy check --verify", refused.err);
  expect_in("keys = \"trusted\"", refused.err);

  write_policy("duckdb:keys.duckdb", tables("", "keys = \"trusted\"\n"));
  expect_answered();
}

TEST_F(DeclaredKeys, ThatAreTrustedNeedNoCheck) {
  write_files(".parquet");
  write_policy("duckdb:", tables(".parquet", "keys = \"trusted\"\n"));
  expect_answered();
  write_file("visit.parquet", sound_visits);
  expect_answered();
  const Finished explained = explain();
  expect_in("(vid) of `visit`; the database's owner vouches for it (keys = \"trusted\")", explained.out);
  expect_in("The promise covers databases in which the key is unique", explained.out);
  const Finished checked = tacit({"policy", "check", world_.path("keys.toml")});
  expect_in("primary key: vid (the owner vouches for it)", checked.out);
  expect_not_in("does not enforce the primary key of visit", checked.err);
}

TEST_F(DeclaredKeys, ThatTheEngineEnforcesNeedNobodysWord) {
  database(" TABLE visit (vid INTEGER PRIMARY KEY, who INTEGER)");
  write_policy("duckdb:keys.duckdb", tables("", "keys = \"trusted\"\n"));
  expect_answered();
  const Finished explained = explain();
  expect_in("the engine enforces that key", explained.out);
  expect_not_in("primary_key (vid)", explained.out);
  const Finished checked = tacit({"policy", "check", world_.path("keys.toml")});
  expect_in("`tables.visit.keys`: the engine enforces this table's primary key", checked.err);
}

// An engine that was opened before the file changed reads one or the other.
TEST_F(DeclaredKeys, OfAFileThatChangesUnderAnOpenSessionCountNoMore) {
  write_files(".parquet");
  write_policy("duckdb:", tables(".parquet"));
  ASSERT_EQ(verify().exit_code, 0);
  auto opened = open_policy(world_.path("keys.toml"));
  ASSERT_TRUE(opened) << to_line(opened.error());
  Question asked;
  asked.sql = question;
  const auto planned = plan_query(*opened, asked);
  ASSERT_TRUE(planned) << to_line(planned.error());
  const auto& keys = planned->mechanism.analyzed.declared_keys;
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_TRUE(check_still_verified(*opened->engine, keys));

  write_file("visit.parquet", sound_visits);
  const auto changed = check_still_verified(*opened->engine, keys);
  ASSERT_FALSE(changed) << "the statement may have read the new file";
  EXPECT_EQ(changed.error().code, FailureCode::engine);
  ASSERT_EQ(verify().exit_code, 0);
  EXPECT_FALSE(plan_query(*opened, asked)) << "the new file is on record, but the engine may hold pages of the old one";
  expect_answered();
}

// Of rows tables dependencies count in the same way.
TEST_F(DeclaredKeys, DependenciesOfRowsTablesCountOnceVerified) {
  const std::string at_most_four = "SELECT (range % 50)::INTEGER AS who, range::INTEGER AS doctor FROM range(200)";
  const std::string five_of_one = at_most_four + " UNION ALL SELECT 0, 200";
  write_file("person.parquet", people);
  write_file("attends.parquet", at_most_four);
  world_.write(
      "keys.toml",
      "[engine]\nurl = \"duckdb:\"\n[budget]\nepsilon = 100\n[budget.analysts]\nana = { epsilon = 100 }\n"
      "[tables.person]\nrows = \"add-remove\"\nprimary_key = [\"pid\"]\nsource = \"person.parquet\"\n"
      "[tables.attends]\nrows = \"add-remove\"\ndependencies = [\"who ->[4] rows\"]\nsource = \"attends.parquet\"\n");
  const auto question_of_rows = [&](const char* command) {
    return tacit({command, "-p", world_.path("keys.toml"), "SELECT COUNT(*) FROM person JOIN attends ON who = pid"});
  };
  const Finished refused = question_of_rows("query");
  EXPECT_EQ(refused.exit_code, 3) << refused.out << refused.err;
  expect_in("who ->[4] rows of `attends`", refused.err);
  expect_in("no check of the data as they are now is on record", refused.err);

  EXPECT_EQ(verify().exit_code, 0);
  const Finished answered = question_of_rows("query");
  EXPECT_EQ(answered.exit_code, 0) << answered.err;
  const Finished explained = question_of_rows("explain");
  expect_in(
      "the engine does not enforce the dependency who ->[4] rows of `attends`; the database's owner verified it on 20",
      explained.out);
  expect_in("attends(who) ->[4] rows", explained.out);

  write_file("attends.parquet", five_of_one);
  const Finished changed = question_of_rows("query");
  EXPECT_EQ(verify().exit_code, 2) << "one person has five";
  const Finished check_failed = question_of_rows("query");
  EXPECT_EQ(changed.exit_code, 3);
  EXPECT_EQ(changed.err, check_failed.err) << "a refusal tells nothing about the data";
}

TEST_F(DeclaredKeys, OfPostgresAreTrustedOrRefused) {
  auto& server = tacit::testing::PostgresServer::shared();
  const std::string name = server.create_database();
  const std::string url = server.url(name);
  server.run(name, {"CREATE TABLE person AS SELECT i AS pid FROM generate_series(0, 49) i",
                    "CREATE TABLE visit AS SELECT i AS vid, i % 50 AS who FROM generate_series(0, 199) i",
                    "CREATE TABLE item AS SELECT i % 200 AS visit FROM generate_series(0, 599) i"});
  write_policy(url, tables(""));
  const Finished verified = verify();
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  expect_not_in("recorded", verified.out);
  const Finished refused = ask();
  EXPECT_EQ(refused.exit_code, 3) << refused.out;
  expect_not_in("policy check --verify", refused.err);
  expect_in("keys = \"trusted\"", refused.err);
  write_policy(url, tables("", "keys = \"trusted\"\n"));
  expect_answered();
  expect_in("the database's owner vouches for it", explain().out);
}

}  // namespace
}  // namespace tacit::cli
