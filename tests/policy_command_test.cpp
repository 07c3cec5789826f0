// `tacit policy init` and `tacit policy check --verify` as an owner meets them: the real binary on real databases.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "cli/process.hpp"
#include "cli/world.hpp"
#include "support/plain_duckdb.hpp"
#include "support/postgres_server.hpp"
#include "support/time_limit.hpp"

namespace tacit::cli {
namespace {

namespace fs = std::filesystem;
using tacit::testing::seconds_since;
using tacit::testing::time_limit;

void expect_failure(const Finished& finished, int exit_code, const std::string& part) {
  EXPECT_EQ(finished.exit_code, exit_code) << finished.err;
  const auto error = finished.err.find("error: ");  // after warnings, if any
  ASSERT_NE(error, std::string::npos) << finished.err;
  EXPECT_EQ(std::count(finished.err.begin() + static_cast<std::ptrdiff_t>(error), finished.err.end(), '\n'), 1)
      << finished.err;
  EXPECT_NE(finished.err.find(part, error), std::string::npos) << finished.err;
  EXPECT_EQ(finished.err.find(secret), std::string::npos) << finished.err;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from << '\n' << text;
  text.replace(at, from.size(), to);
}

// What an owner types who wants the rows model for this table, the first of its kind in the file.
void decide(std::string& text, const std::string& table) {
  replace(text, "#epsilon = 0 ", "epsilon = 5 ");
  replace(text, "#ana = { epsilon = 0, delta = 0 }", "ana = { epsilon = 5 }");
  const auto header = text.find("#[tables." + table + "]");
  ASSERT_NE(header, std::string::npos) << text;
  std::string block = text.substr(header);
  replace(block, "#[", "[");
  replace(block, "#rows = \"add-remove\"", "rows = \"add-remove\"");
  text.replace(header, std::string::npos, block);
}

class PolicyCommand : public ::testing::Test {
 protected:
  // The starter policy, written to a file and finished for one table.
  std::string start(const std::string& database, const std::string& file, const std::string& table) {
    const Finished written = tacit({"policy", "init", "--db", database, "--output", world_.path(file)});
    EXPECT_EQ(written.exit_code, 0) << written.err;
    EXPECT_NE(written.out.find("none of which can be asked about yet"), std::string::npos) << written.out;
    std::string text = read_file(world_.path(file));
    decide(text, table);
    world_.write(file, text);
    return text;
  }

  World world_;
};

TEST_F(PolicyCommand, InitPrintsAPolicyThatCheckDoesNotAccept) {
  const Finished finished = tacit({"policy", "init", "--db", "duckdb:" + world_.path("visits.duckdb")});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  EXPECT_NE(finished.out.find("#[tables.visit]"), std::string::npos) << finished.out;
  EXPECT_EQ(finished.out.find(secret), std::string::npos) << "a value of the data";
  EXPECT_EQ(finished.out.find("east"), std::string::npos) << "a value of the data";
  world_.write("starter.toml", finished.out);
  expect_failure(tacit({"policy", "check", world_.path("starter.toml")}), 2, "starter.toml:32 ; list at least one");
}

TEST_F(PolicyCommand, InitNeverOverwritesAFile) {
  world_.write("mine.toml", "precious");
  const std::string database = "duckdb:" + world_.path("visits.duckdb");
  expect_failure(tacit({"policy", "init", "--db", database, "--output", world_.path("mine.toml")}), 2,
                 "the file exists already");
  EXPECT_EQ(read_file(world_.path("mine.toml")), "precious");
  expect_failure(tacit({"policy", "init", "--db", database, "--output", world_.path("none/p.toml")}), 2,
                 "the file cannot be created");
}

TEST_F(PolicyCommand, AFinishedStarterPolicyAnswers) {
  start("duckdb:" + world_.path("visits.duckdb"), "started.toml", "visit");
  const Finished checked = tacit({"policy", "check", world_.path("started.toml"), "--verify"});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  const Finished answered = tacit({"query", "-p", world_.path("started.toml"), "SELECT count(*) FROM visit"});
  EXPECT_EQ(answered.exit_code, 0) << answered.err;
}

// The path is given from the working directory and must be written from the policy's.
TEST_F(PolicyCommand, ARelativePathWorksFromThePolicysFolder) {
  fs::create_directories(world_.path("policies/2026"));
  const fs::path here = fs::current_path();
  fs::current_path(world_.path(""));
  const std::string text = start("duckdb:visits.duckdb", "policies/2026/p.toml", "visit");
  fs::current_path(here);
  EXPECT_NE(text.find("url = \"duckdb:../../visits.duckdb\""), std::string::npos) << text;
  const Finished checked = tacit({"policy", "check", world_.path("policies/2026/p.toml")});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
}

TEST_F(PolicyCommand, AFolderOfParquetFilesBecomesTables) {
  fs::create_directory(world_.path("data"));
  testing::PlainDuckDb files;
  const auto copy = [&](const std::string& name) {
    files.run("COPY (SELECT 1 AS id, 'zzsecretzz' AS note) TO '" + world_.path("data/" + name) + "' (FORMAT parquet)");
  };
  for (const char* name : {"Visits 2025.parquet", "visits 2025.PARQUET", "person.parquet", "odd[1].parquet"})
    copy(name);
  world_.write("data/readme.txt", "no table");
  const std::string text = start(world_.path("data"), "data/p.toml", "person");
  for (const char* part :
       {"url = \"duckdb:\"", "#source = \"Visits 2025.parquet\"", "[tables.'\"visits 2025\"']",
        "[tables.'\"visits 2025_2\"']", "#source = \"person.parquet\"", "# odd[1].parquet: left out"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  EXPECT_EQ(text.find(secret), std::string::npos) << text;
  std::string with_source = text;
  replace(with_source, "#source = \"person.parquet\"", "source = \"person.parquet\"");
  world_.write("data/p.toml", with_source);
  const Finished answered = tacit({"query", "-p", world_.path("data/p.toml"), "SELECT count(*) FROM person"});
  EXPECT_EQ(answered.exit_code, 0) << answered.err;
}

TEST_F(PolicyCommand, CsvFilesBecomeTablesWhoseTypesAreToDecide) {
  fs::create_directory(world_.path("bills"));
  world_.write("bills/Bill.csv", "\xEF\xBB\xBFid,\"amount due\"\r\n1,zzsecretzz\r\n");
  std::string text = start(world_.path("bills"), "bills/p.toml", "bill");
  EXPECT_EQ(text.find(secret), std::string::npos) << text;
  replace(text, "#source = \"Bill.csv\"", "source = \"Bill.csv\"");
  replace(text, "#[tables.bill.columns]", "[tables.bill.columns]");
  replace(text, "#id = { type = \"text\" }", "id = { type = \"integer\", min = 0, max = 9 }");
  world_.write("bills/p.toml", text);
  const Finished answered = tacit({"query", "-p", world_.path("bills/p.toml"), "SELECT sum(id) FROM bill"});
  EXPECT_EQ(answered.exit_code, 0) << answered.err << text;
  world_.write("bills/empty.csv", "");
  expect_failure(tacit({"policy", "init", "--db", world_.path("bills")}), 5, "no first line");
}

TEST_F(PolicyCommand, InitSaysWhatIsWrongWithTheDatabase) {
  const auto init = [](const std::string& database) { return tacit({"policy", "init", "--db", database}); };
  expect_failure(init("duckdb:" + world_.path("none.duckdb")), 5, "none.duckdb ; give --db duckdb:FILE");
  world_.write("garbage.duckdb", std::string(20'000, 'x'));
  expect_failure(init("duckdb:" + world_.path("garbage.duckdb")), 5, "not a DuckDB database");
  expect_failure(init(world_.path("visits.duckdb")), 2, "what kind of database");
  expect_failure(init("duckdb:"), 2, "in memory");
  expect_failure(init("mysql://ana:hunter2@h/db"), 2, "neither the url of a database nor a folder");
  EXPECT_EQ(init("mysql://ana:hunter2@h/db").err.find("hunter2"), std::string::npos);
  fs::create_directory(world_.path("empty"));
  expect_failure(init(world_.path("empty")), 2, "no .parquet or .csv file");
  world_.write("empty/bad.parquet", "PAR1 this is none");
  expect_failure(init(world_.path("empty")), 5, "bad.parquet");
  expect_failure(init("postgresql:///none?host=" + world_.path("")), 5, " ; ");
}

TEST_F(PolicyCommand, InitReadsPostgresAndNeverWritesThePassword) {
  auto& server = testing::PostgresServer::shared();
  const std::string database = server.create_database();
  server.run(database, {"CREATE TABLE person(pid INTEGER PRIMARY KEY, name TEXT NOT NULL)",
                        "CREATE TABLE visit(id BIGINT PRIMARY KEY, who INTEGER REFERENCES person, amount NUMERIC)",
                        "INSERT INTO person VALUES (1, 'zzsecretzz')"});
  const std::string url = server.url(database) + "&password=hunter2";
  const std::string text = start(url, "pg.toml", "visit");
  EXPECT_EQ(text.find("hunter2"), std::string::npos);
  EXPECT_EQ(text.find(secret), std::string::npos);
  for (const char* part : {"PGPASSWORD", "#owner_through = { columns = [\"who\"], references = \"person\" }",
                           "#[tables.person]", "# amount: numeric, whose digits are yours to declare"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  EXPECT_EQ(tacit({"policy", "check", world_.path("pg.toml"), "--verify"}).exit_code, 0);
}

TEST_F(PolicyCommand, VerifySaysWhatHolds) {
  const Finished finished = tacit({"policy", "check", world_.policy(), "--verify"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  for (const char* part : {"table visit\n", "For the owner only", "visit  primary_key (id)      holds  4,000 rows\n",
                           "visit  columns.ward values   holds  4,000 rows\n", "3 facts: 3 hold\n"})
    EXPECT_NE(finished.out.find(part), std::string::npos) << part << '\n' << finished.out;
  EXPECT_TRUE(world_.exists("visits.ledger")) << "that the key holds is recorded: joins may rest on it";
}

TEST_F(PolicyCommand, VerifyCountsWhatFailsAndExitsTwo) {
  const std::string narrow = world_.changed_policy("narrow.toml", "max = 100", "max = 49");
  const Finished finished = tacit({"policy", "check", narrow, "--verify"});
  expect_failure(finished, 2, "one fact of the policy does not hold in the data ; " + narrow + ":26");
  EXPECT_NE(finished.out.find("columns.age min, max  FAILS  2,000 rows outside [0, 49]\n"), std::string::npos)
      << finished.out;
  EXPECT_EQ(finished.out.find(secret), std::string::npos);
  EXPECT_EQ(tacit({"policy", "check", narrow}).exit_code, 0) << "without --verify no row is read";
}

TEST_F(PolicyCommand, AnInterruptEndsVerify) {
  const std::string slow =
      world_.changed_policy("slow.toml", "[tables.slow]\n", "[tables.slow]\nprimary_key = [\"x\"]\n");
  Process process({"policy", "check", slow, "--verify"});
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const auto start = std::chrono::steady_clock::now();
  process.signal(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_code, 5) << finished.err;
  EXPECT_LT(seconds_since(start), time_limit(5));
}

}  // namespace
}  // namespace tacit::cli
