// The command line as a person meets it: the real binary, its exit codes, what it says and what it spends.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "cli/process.hpp"
#include "cli/world.hpp"
#include "support/time_limit.hpp"

namespace tacit::cli {
namespace {

using Json = nlohmann::json;
using tacit::testing::seconds_since;
using tacit::testing::time_limit;

constexpr const char* count_sql = "SELECT count(*) AS n FROM visit";
// Geometric noise of scale 1 is beyond this with a probability below e^-300.
constexpr double far = 300.0;

void expect_failure(const Finished& finished, int exit_code, const std::string& part) {
  EXPECT_EQ(finished.exit_code, exit_code) << finished.err;
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(finished.err.rfind("error: ", 0), 0u) << finished.err;
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  EXPECT_NE(finished.err.find(part), std::string::npos) << finished.err;
  EXPECT_EQ(finished.err.find(secret), std::string::npos) << finished.err;
}

Json parse_error(const Finished& finished) {
  const Json json = Json::parse(finished.err, nullptr, false);
  EXPECT_TRUE(json.is_object()) << finished.err;
  if (!json.is_object()) return Json::object();
  const Json error = json.value("error", Json::object());
  for (const char* key : {"code", "message", "hint", "position"}) EXPECT_TRUE(error.contains(key)) << finished.err;
  EXPECT_EQ(error.size(), error["position"].is_null() ? 4u : 6u) << "with line and column where there is a position";
  EXPECT_EQ(finished.out, "");
  return error;
}

class Cli : public ::testing::Test {
 protected:
  void wait_until_charged() const {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!world_.exists("visits.ledger") || spent_by(world_.ledger(), "ana") == 0.0) {
      ASSERT_LT(std::chrono::steady_clock::now(), patience) << "the question was never charged";
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  World world_;
};

TEST(CliWords, HelpAndVersionGoToStandardOutput) {
  for (const auto& words : {std::vector<std::string>{"--help"}, {"query", "--help"}, {"ledger", "grant", "--help"}}) {
    const Finished help = tacit(words);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("Usage: tacit"), std::string::npos) << help.out;
    EXPECT_EQ(help.err, "");
  }
  EXPECT_NE(tacit({"--help"}).out.find("Examples:"), std::string::npos);
  EXPECT_EQ(tacit({"--version"}).out.rfind("tacit ", 0), 0u);
}

TEST(CliWords, WrongWordsAreUsageErrors) {
  expect_failure(tacit({}), 2, "no command is given");
  expect_failure(tacit({"qery"}), 2, "did you mean `query`?");
  expect_failure(tacit({"bench", "rows"}), 2, "tacit-bench");
  expect_failure(tacit({"query", "SELECT 1"}), 2, "--policy is required");
  expect_failure(tacit({"query", "-p", "x.toml"}), 2, "no SQL is given");
  expect_failure(tacit({"query", "-p", "x.toml", "-f", "a.sql", "SELECT 1"}), 2, "given twice");
  expect_failure(tacit({"query", "-p", "x.toml", "SELECT 1", "more"}), 2, "more");
  expect_failure(tacit({"query", "-p", "x.toml", "--nonsense", "SELECT 1"}), 2, "--nonsense");
  expect_failure(tacit({"query", "-p", "x.toml", "--format", "xml", "SELECT 1"}), 2, "`xml`");
  expect_failure(tacit({"ledger"}), 2, "show, grant, adopt and reset");
  expect_failure(tacit({"policy"}), 2, "check and init");
  expect_failure(tacit({"policy", "check", "x.toml", "--verfy"}), 2, "--verfy");
  expect_failure(tacit({"policy", "init"}), 2, "--db is required");
  expect_failure(tacit({"ledger", "show", "-p", "x.toml", "--history", "-3"}), 2, "--history");
}

TEST(CliWords, AmountsThatAreNoAmountsAreUsageErrors) {
  for (const char* epsilon : {"0", "-1", "nan", "inf", "-inf", "1e999", "abc", "", "1 ", "1,5", "0x1"})
    expect_failure(tacit({"query", "-p", "x.toml", "--epsilon", epsilon, "SELECT 1"}), 2, "epsilon must be a number");
  for (const char* delta : {"-1e-9", "1", "nan", "inf", "abc", ""})
    expect_failure(tacit({"query", "-p", "x.toml", "--delta", delta, "SELECT 1"}), 2, "delta must be a number");
}

TEST(CliWords, JsonFailuresHaveTheirShapeEvenForWrongWords) {
  const Finished finished = tacit({"query", "--format", "json", "--nonsense"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(parse_error(finished)["code"], "usage");
  EXPECT_EQ(parse_error(finished)["position"], nullptr);
}

TEST_F(Cli, AnswersAsTable) {
  const Finished finished = world_.ask({"SELECT ward, count(*) AS n, avg(age) AS mean FROM visit GROUP BY ward"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  EXPECT_NE(finished.out.find("east"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("95% interval"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("spent: epsilon 1, delta 0; left: epsilon 2,"), std::string::npos) << finished.out;
}

TEST_F(Cli, AnswersAsJson) {
  const Finished finished = world_.ask({"--format", "json", "--epsilon", "2", count_sql});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const Json json = Json::parse(finished.out);
  EXPECT_EQ(json.size(), 5u);
  EXPECT_EQ(json["columns"], Json::parse(R"([{"name":"n","type":"bigint"}])"));
  EXPECT_NEAR(json["rows"][0][0].get<double>(), static_cast<double>(visits), far);
  EXPECT_EQ(json["noise"][0][0]["interval95"].size(), 2u);
  EXPECT_EQ(json["noise"][0][0]["scale"], 0.5);
  EXPECT_EQ(json["privacy"]["model"], "rows");
  EXPECT_EQ(json["privacy"]["epsilon"], 2.0);
  EXPECT_EQ(json["privacy"]["spent"], Json::parse(R"({"epsilon":2.0,"delta":0.0})"));
  EXPECT_EQ(json["privacy"]["remaining"]["epsilon"], 1.0);
}

TEST_F(Cli, AnswersAsCsv) {
  const Finished finished = world_.ask({"--format", "csv", "SELECT ward, count(*) AS n FROM visit GROUP BY ward"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out.rfind("ward,n,n_lo,n_hi\r\n", 0), 0u) << finished.out;
  EXPECT_EQ(std::count(finished.out.begin(), finished.out.end(), '\n'), 3) << finished.out;
  EXPECT_NE(finished.err.find("note: The groups of `ward`"), std::string::npos) << finished.err;
}

TEST_F(Cli, AGrantBeyondTheCapWarns) {
  const auto grant = [&](const char* epsilon) {
    return tacit({"ledger", "grant", "-p", world_.policy(), "--analyst", "ana", "--epsilon", epsilon, "--reason", "x"});
  };
  EXPECT_EQ(grant("1").err, "");
  const Finished beyond = grant("4");
  EXPECT_EQ(beyond.exit_code, 0) << beyond.err;
  EXPECT_NE(beyond.err.find("warning: ana may now spend epsilon 8, more than the global cap of 5"), std::string::npos)
      << beyond.err;
}

TEST_F(Cli, JsonHoldsTheNotes) {
  const Finished finished = world_.ask({"--format", "json", "SELECT ward, count(*) AS n FROM visit GROUP BY ward"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const Json notes = Json::parse(finished.out)["notes"];
  ASSERT_EQ(notes.size(), 1u) << finished.out;
  EXPECT_EQ(notes[0].get<std::string>().rfind("The groups of `ward`", 0), 0u);
}

TEST_F(Cli, PlacesInTextsOfSeveralLinesHaveALineAndAColumn) {
  const std::string sql = "SELECT count(*)\nFROM visit\nWHERE wart = 'a'";
  expect_failure(world_.ask({sql}), 3, "line 3, column 7");
  const Finished finished = world_.ask({"--format", "json", sql});
  const Json error = Json::parse(finished.err)["error"];
  EXPECT_EQ(error["position"], 34);
  EXPECT_EQ(error["line"], 3);
  EXPECT_EQ(error["column"], 7);
}

TEST_F(Cli, ReadsTheQuestionFromAFileOrStandardInput) {
  world_.write("q.sql", std::string("-- how many\n") + count_sql + ";\n");
  EXPECT_EQ(world_.ask({"-f", world_.path("q.sql")}).exit_code, 0);
  EXPECT_EQ(tacit(world_.ask_words({"-"}), {.input = count_sql}).exit_code, 0);
}

TEST_F(Cli, QuestionsThatCannotBeReadAreUsageErrors) {
  expect_failure(world_.ask({"-f", world_.path("none.sql")}), 2, "none.sql");
  expect_failure(world_.ask({"-f", world_.path("")}), 2, "cannot be read");
  expect_failure(world_.ask({"-"}), 2, "the SQL is empty ; standard input");
  expect_failure(world_.ask({" \n\t"}), 2, "the SQL is empty");
  expect_failure(tacit({"query", "-p", world_.path("none.toml"), count_sql}), 2, "none.toml");
}

TEST_F(Cli, TheAnalystMustBeListed) {
  expect_failure(tacit({"query", "-p", world_.policy(), count_sql}), 2, "--analyst");
  expect_failure(tacit({"query", "-p", world_.policy(), "--analyst", "anna", count_sql}), 2, "did you mean `ana`?");
}

TEST_F(Cli, RefusalsSayWhereAndSpendNothing) {
  const std::string before = world_.ledger();
  expect_failure(world_.ask({"SELECT count(*) FROM vist"}), 3, "position 22");
  expect_failure(world_.ask({"SELECT count(*) FROM"}), 3, "position");
  expect_failure(world_.ask({"SELECT * FROM visit"}), 3, " ; ");
  expect_failure(world_.ask({"SELECT note FROM visit"}), 3, " ; ");
  expect_failure(world_.ask({"SELECT note, count(*) FROM visit GROUP BY note"}), 3, " ; ");
  expect_failure(world_.ask({"DELETE FROM visit"}), 3, " ; ");
  expect_failure(world_.ask({"SELECT count(*) FROM visit; SELECT 1"}), 3, " ; ");
  expect_failure(world_.ask({"SELECT sum(ward) FROM visit"}), 3, " ; ");
  expect_failure(world_.ask({"--epsilon", "0.001", count_sql}), 2, "epsilon_min");
  expect_failure(world_.ask({"--epsilon", "2.6", count_sql}), 2, "epsilon_max");
  EXPECT_EQ(world_.ledger(), before);
  EXPECT_EQ(spent_by(before, "ana"), 0.0);
}

TEST_F(Cli, RefusalsAsJsonCarryThePosition) {
  const Finished finished = world_.ask({"--format", "json", "SELECT count(*) FROM vist"});
  EXPECT_EQ(finished.exit_code, 3);
  const Json error = parse_error(finished);
  EXPECT_EQ(error["code"], "refused");
  EXPECT_EQ(error["position"], 22);
  EXPECT_TRUE(error["hint"].is_string());
}

TEST_F(Cli, HostileTextIsRefusedAtOnce) {
  std::string nested = "SELECT count(*) FROM visit WHERE ";
  for (int i = 0; i < 20'000; ++i) nested += "NOT ";
  world_.write("nested.sql", nested + "true");
  world_.write("long.sql", "SELECT count(*) FROM visit WHERE id IN (" + std::string(10 << 20, '1') + ")");
  world_.write("bytes.sql", "SELECT count(*) AS \"\xff\xfe\" FROM visit");
  const auto start = std::chrono::steady_clock::now();
  for (const char* name : {"nested.sql", "long.sql", "bytes.sql"})
    expect_failure(world_.ask({"-f", world_.path(name)}), 3, " ; ");
  EXPECT_LT(seconds_since(start), time_limit(10));
}

TEST_F(Cli, AnExhaustedBudgetSpendsNothingMore) {
  EXPECT_EQ(world_.ask({"--epsilon", "2", count_sql}).exit_code, 0);
  const std::string before = world_.ledger();
  EXPECT_EQ(spent_by(before, "ana"), 2.0);
  expect_failure(world_.ask({"--epsilon", "1.5", count_sql}), 4, " ; ");
  EXPECT_EQ(world_.ledger(), before);
  EXPECT_EQ(world_.ask({"--epsilon", "1", count_sql}).exit_code, 0);
  // bo's own allowance is 3, but the cap over both is 5.
  const Finished capped = tacit({"query", "-p", world_.policy(), "--analyst", "bo", "--epsilon", "2.5", count_sql});
  expect_failure(capped, 4, " ; ");
}

TEST_F(Cli, EngineFailuresAreSentencesOfOurs) {
  const std::string missing = world_.changed_policy("missing.toml", "visits.duckdb", "none.duckdb");
  expect_failure(tacit({"query", "-p", missing, "--analyst", "ana", count_sql}), 5, "none.duckdb");
  world_.write("garbage.duckdb", std::string(20'000, 'x'));
  const std::string garbage = world_.changed_policy("garbage.toml", "visits.duckdb", "garbage.duckdb");
  expect_failure(tacit({"query", "-p", garbage, "--analyst", "ana", count_sql}), 5, "garbage.duckdb");
  EXPECT_FALSE(world_.exists("none.duckdb"));
}

TEST_F(Cli, AStatementThatTakesTooLongFailsAndStaysCharged) {
  const std::string hasty = world_.changed_policy("policy.toml", "\"50s\"", "\"1s\"");
  expect_failure(tacit({"query", "-p", hasty, "--analyst", "ana", "SELECT count(*) FROM slow WHERE x % 7 = 3"}), 5,
                 " ; ");
  EXPECT_EQ(spent_by(world_.ledger(), "ana"), 1.0);
}

TEST_F(Cli, LedgerFailuresComeBeforeTheEngineIsAsked) {
  world_.write("visits.ledger", "this is no ledger, it is a text of some length");
  expect_failure(world_.ask({count_sql}), 6, "visits.ledger");
  std::filesystem::remove(world_.path("visits.ledger"));
  std::filesystem::create_directory(world_.path("visits.ledger"));
  expect_failure(world_.ask({count_sql}), 6, "visits.ledger");
}

TEST_F(Cli, PolicyCheckDescribesAndLeavesNoLedgerBehind) {
  const Finished finished = tacit({"policy", "check", world_.policy()});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_NE(finished.out.find("visit"), std::string::npos) << finished.out;
  EXPECT_FALSE(world_.exists("visits.ledger"));
}

TEST_F(Cli, PolicyCheckNamesTheWrongLine) {
  expect_failure(tacit({"policy", "check", world_.changed_policy("a.toml", "epsilon_min", "epsilon_mim")}), 2,
                 "a.toml:11");
  expect_failure(tacit({"policy", "check", world_.changed_policy("b.toml", "age = {", "agee = {")}), 2, "b.toml:26");
  expect_failure(tacit({"policy", "check", world_.changed_policy("c.toml", "visits.duckdb", "none.duckdb")}), 5,
                 "none.duckdb");
  expect_failure(tacit({"policy", "check", world_.path("none.toml")}), 2, "none.toml");
}

TEST_F(Cli, ExplainShowsThePriceAndSpendsNothing) {
  const Finished text = tacit({"explain", "-p", world_.policy(), "--analyst", "ana", count_sql});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  for (const char* part : {"What is protected", "Price (nothing is spent yet)", "Expected error", "SQL the engine runs",
                           "Why this noise suffices"})
    EXPECT_NE(text.out.find(part), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("4000"), std::string::npos) << text.out;

  const Finished json = tacit({"explain", "-p", world_.policy(), "--analyst", "ana", "--format", "json", count_sql});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const Json explained = Json::parse(json.out);
  EXPECT_EQ(explained["model"], "rows");
  EXPECT_EQ(explained["sql"]["initial"], count_sql);
  EXPECT_TRUE(explained["derivation"].contains("rule"));
  EXPECT_FALSE(explained.contains("analyze"));

  EXPECT_EQ(world_.ask({std::string("EXPLAIN (PRIVACY) ") + count_sql}).exit_code, 0);
  EXPECT_EQ(spent_by(world_.ledger(), "ana"), 0.0);
}

TEST_F(Cli, ExplainAnalyzeShowsTheOwnerExactValuesAndTimes) {
  const Finished json =
      tacit({"explain", "-p", world_.policy(), "--analyst", "ana", "--format", "json", "--analyze", count_sql});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const Json analyze = Json::parse(json.out)["analyze"];
  EXPECT_EQ(analyze["initial"], visits);
  EXPECT_GT(analyze["ms"]["engine"].get<double>(), 0.0);
  EXPECT_EQ(spent_by(world_.ledger(), "ana"), 0.0);
}

TEST_F(Cli, TheOwnerGrantsAndResets) {
  EXPECT_EQ(world_.ask({"--epsilon", "2.5", count_sql}).exit_code, 0);
  expect_failure(world_.ask({count_sql}), 4, " ; ");
  const std::vector<std::string> grant{"ledger", "grant", "-p", world_.policy(), "--analyst", "ana", "--epsilon", "1"};
  auto with_reason = grant;
  with_reason.insert(with_reason.end(), {"--reason", "quarterly report"});
  expect_failure(tacit(grant), 2, "--reason is required");
  EXPECT_EQ(tacit(with_reason).exit_code, 0);
  EXPECT_EQ(world_.ask({count_sql}).exit_code, 0);

  const std::vector<std::string> reset{"ledger", "reset", "-p", world_.policy(), "--reason", "new data"};
  expect_failure(tacit(reset), 2, "--yes");
  EXPECT_EQ(spent_by(world_.ledger(), "ana"), 3.5);
  auto sure = reset;
  sure.push_back("--yes");
  EXPECT_EQ(tacit(sure).exit_code, 0);
  EXPECT_EQ(spent_by(world_.ledger(), "ana"), 0.0);

  const Finished history = tacit({"ledger", "show", "-p", world_.policy(), "--history", "50"});
  for (const char* part :
       {"asked", "reserved", "answered", "refused", "grant", "quarterly report", "reset", "new data"})
    EXPECT_NE(history.out.find(part), std::string::npos) << part << '\n' << history.out;
  expect_failure(
      tacit({"ledger", "grant", "-p", world_.policy(), "--analyst", "eve", "--epsilon", "1", "--reason", "x"}), 2,
      "eve");
}

TEST_F(Cli, ProcessesAtOnceNeverOverspend) {
  std::vector<Process> processes;
  for (int i = 0; i < 8; ++i) processes.emplace_back(world_.ask_words({count_sql}));
  int answered = 0;
  int exhausted = 0;
  for (Process& process : processes) {
    const Finished finished = process.wait();
    answered += finished.exit_code == 0 ? 1 : 0;
    exhausted += finished.exit_code == 4 ? 1 : 0;
    EXPECT_TRUE(finished.exit_code == 0 || finished.exit_code == 4) << finished.err;
  }
  EXPECT_EQ(answered, 3);
  EXPECT_EQ(exhausted, 5);
  EXPECT_EQ(spent_by(world_.ledger(), "ana"), 3.0);
}

TEST_F(Cli, InterruptCancelsTheStatementAndStaysCharged) {
  Process process(world_.ask_words({"SELECT count(*) FROM slow WHERE x % 7 = 3"}));
  wait_until_charged();
  const auto start = std::chrono::steady_clock::now();
  process.signal(SIGINT);
  expect_failure(process.wait(), 5, "what was charged stays charged");
  EXPECT_LT(seconds_since(start), time_limit(3));
  EXPECT_EQ(spent_by(world_.ledger(), "ana"), 1.0);
}

TEST_F(Cli, TheDeadlineHoldsWhenTheEngineIsDeaf) {
  world_.make_deaf();
  const std::string hasty = world_.changed_policy("policy.toml", "\"50s\"", "\"300ms\"");
  const auto start = std::chrono::steady_clock::now();
  expect_failure(tacit({"query", "-p", hasty, "--analyst", "ana", "SELECT count(*) FROM slow"}), 5,
                 "did not finish within 0.3 s");
  EXPECT_LT(seconds_since(start), time_limit(4));
  EXPECT_EQ(spent_by(world_.ledger(), "ana"), 1.0);
  const Finished history = tacit({"ledger", "show", "-p", world_.policy(), "--history", "1"});
  EXPECT_NE(history.out.find("failed"), std::string::npos) << history.out;
}

TEST_F(Cli, InterruptEndsAlsoWhenTheEngineIsDeaf) {
  world_.make_deaf();
  Process process(world_.ask_words({"SELECT count(*) FROM slow"}));
  wait_until_charged();
  const auto start = std::chrono::steady_clock::now();
  process.signal(SIGINT);
  expect_failure(process.wait(), 5, "what was charged stays charged");
  EXPECT_LT(seconds_since(start), time_limit(3));
  const Finished history = tacit({"ledger", "show", "-p", world_.policy(), "--history", "1"});
  EXPECT_NE(history.out.find("failed"), std::string::npos) << history.out;
}

TEST_F(Cli, ATerminalSeesProgressThatGoesAway) {
  const std::string hasty = world_.changed_policy("policy.toml", "\"50s\"", "\"2500ms\"");
  const Finished finished =
      tacit_on_a_terminal({"query", "-p", hasty, "--analyst", "ana", "SELECT count(*) FROM slow WHERE x % 7 = 3"});
  EXPECT_EQ(finished.exit_code, 5) << finished.err;
  const std::size_t progress = finished.err.find("asking the database 1 s");
  ASSERT_NE(progress, std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("\r\x1b[Kerror: ", progress), std::string::npos) << finished.err;
}

TEST_F(Cli, AReaderThatWentAwayIsNoFailure) {
  const Finished finished = tacit(world_.ask_words({count_sql}), {.leave_output = true});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
}

TEST_F(Cli, AFullDiskIsSaid) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0) << "there is no /dev/full here";
  expect_failure(tacit(world_.ask_words({count_sql}), {.output = full}), 2, "cannot be written");
  ::close(full);
}

TEST_F(Cli, AClosedOutputIsRefusedBeforeAnythingIsSpent) {
  expect_failure(tacit(world_.ask_words({count_sql}), {.close_output = true}), 2, "standard output is closed");
  EXPECT_EQ(spent_by(world_.ledger(), "ana"), 0.0);
}

TEST_F(Cli, TheDemoRunsTwice) {
  for (int run = 0; run < 2; ++run) {
    const Finished finished = tacit({"demo", "--dir", world_.path("demo")});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_NE(finished.out.find("Expected error"), std::string::npos) << finished.out;
    EXPECT_NE(finished.out.find("95% interval"), std::string::npos) << finished.out;
  }
}

}  // namespace
}  // namespace tacit::cli
