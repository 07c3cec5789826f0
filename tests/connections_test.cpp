// Many connections of one database at once: what they share stays right, and what is each one's own stays apart.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "answer_query.hpp"
#include "support/test_database.hpp"
#include "support/time_limit.hpp"

namespace tacit {
namespace {

using tacit::testing::cpu_seconds;
using tacit::testing::EngineKind;
using tacit::testing::every_engine;
using tacit::testing::name_of;
using tacit::testing::TestDatabase;

constexpr int threads = 8;

std::string budget(const std::string& all, const std::string& ana, const std::string& bo) {
  return fmt::format(
      "[ledger]\npath = \"test.ledger\"\n[defaults]\nepsilon_min = 0.01\n[budget]\nepsilon = {}\ndelta = 1e-6\n"
      "[budget.analysts]\nana = {{ epsilon = {}, delta = 1e-6 }}\nbo = {{ epsilon = {}, delta = 1e-6 }}\n",
      all, ana, bo);
}

std::shared_ptr<Database> open_database(const std::string& policy) {
  auto database = Database::open(policy);
  if (!database) throw std::runtime_error(to_line(database.error()));
  return *database;
}

Connection connect(const std::shared_ptr<Database>& database) {
  auto connection = Database::connect(database);
  if (!connection) throw std::runtime_error(to_line(connection.error()));
  return std::move(*connection);
}

Question question(const std::string& sql, const std::string& analyst, double epsilon) {
  return {sql, analyst, Epsilon(epsilon), {}};
}

double only_number(const Result<std::variant<Answer, Explanation>>& told) {
  return to_double(std::get<Decimal>(std::get<Answer>(*told).rows.rows.at(0).at(0).value));
}

void at_once(int count, const std::function<void(int)>& work) {
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) all.emplace_back(work, i);
  for (auto& thread : all) thread.join();
}

std::map<std::string, int> count_events(Database& database) {
  std::map<std::string, int> counts;
  const std::vector<LedgerEvent> events = database.ledger().history(1'000'000).value();
  for (const LedgerEvent& event : events) ++counts[event.kind];
  return counts;
}

// Of everybody, in the one account there is.
double spent_by(Database& database, const std::string& analyst) {
  const std::vector<AccountState> states = database.ledger().states(views_of(database.accounts())).value();
  for (const AccountState& state : states) {
    if (state.analyst == analyst) return state.spent.epsilon.value();
  }
  return -1.0;
}

class Connections : public ::testing::TestWithParam<EngineKind> {
 protected:
  // `visit` has 1000 rows of the ward 0, 2000 of the ward 1, ...
  Connections() : database_(GetParam()) {
    database_.run({"CREATE TABLE visit (id INTEGER PRIMARY KEY, ward INTEGER NOT NULL)",
                   fmt::format("INSERT INTO visit SELECT i, CAST(floor((sqrt(1 + 8 * (i / 1000)) - 1) / 2) AS INTEGER) "
                               "FROM {} AS t(i)",
                               GetParam() == EngineKind::duckdb ? "(SELECT CAST(range AS INTEGER) FROM range(36000))"
                                                                : "generate_series(0, 35999)")});
  }
  static int questions_per_thread() { return GetParam() == EngineKind::duckdb ? 50 : 10; }

  TestDatabase database_;
  const std::string table_ = "[tables.visit]\nrows = \"add-remove\"\n";
};

TEST_P(Connections, AskAtOnceAndTheLedgerIsExact) {
  const auto database = open_database(database_.write_policy(budget("10000", "5000", "5000") + table_));
  std::atomic<int> wrong = 0;
  at_once(threads, [&](int thread) {
    Connection own = connect(database);
    const std::string analyst = thread % 2 == 0 ? "ana" : "bo";
    const std::string sql = fmt::format("SELECT count(*) FROM visit WHERE ward = {}", thread);
    for (int i = 0; i < questions_per_thread(); ++i) {
      const auto told = answer_query(own, question(sql, analyst, 0.7));
      // Noise beyond 100 has a probability below 1e-30: another number is another thread's.
      if (!told || std::fabs(only_number(told) - 1000.0 * (thread + 1)) > 100.0) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
  const int all = threads * questions_per_thread();
  auto counts = count_events(*database);
  EXPECT_EQ(counts["asked"], all);
  EXPECT_EQ(counts["reserved"], all);
  EXPECT_EQ(counts["answered"], all);
  EXPECT_EQ(counts.size(), 3U);
  // Rounded up to a double: of 0.7 * n in decimals.
  EXPECT_NEAR(spent_by(*database, ""), 7 * all / 10.0, 1e-9);
  EXPECT_NEAR(spent_by(*database, "ana"), 7 * all / 20.0, 1e-9);
  EXPECT_NEAR(spent_by(*database, "bo"), 7 * all / 20.0, 1e-9);
}

TEST_P(Connections, SpendAllThatIsThereAndNothingMore) {
  const auto database = open_database(database_.write_policy(budget("6.05", "3.5", "3.5") + table_));
  std::map<std::string, std::atomic<int>> answered;
  answered["ana"] = answered["bo"] = 0;
  std::atomic<int> unexpected = 0;
  at_once(threads, [&](int thread) {
    Connection own = connect(database);
    const std::string analyst = thread % 2 == 0 ? "ana" : "bo";
    for (int i = 0; i < 10; ++i) {
      const auto told = answer_query(own, question("SELECT count(*) FROM visit", analyst, 0.1));
      if (told) {
        ++answered.at(analyst);
      } else if (told.error().code != FailureCode::budget) {
        ++unexpected;
      }
    }
  });
  EXPECT_EQ(unexpected, 0);
  // 6.05 pays 60 questions of 0.1, and nobody has more than 3.5; 80 were asked, 40 by each.
  EXPECT_EQ(answered["ana"] + answered["bo"], 60);
  EXPECT_LE(answered["ana"], 35);
  EXPECT_LE(answered["bo"], 35);
  auto counts = count_events(*database);
  EXPECT_EQ(counts["reserved"], 60);
  EXPECT_EQ(counts["answered"], 60);
  EXPECT_EQ(counts["refused"], 20);
  EXPECT_NEAR(spent_by(*database, ""), 6.0, 1e-9);
}

TEST_P(Connections, ACancelStopsOneOfThem) {
  const bool is_duckdb = GetParam() == EngineKind::duckdb;
  const std::string numbers = is_duckdb ? "range(1000000)" : "generate_series(1, 1000000)";
  database_.run({fmt::format("CREATE VIEW slow AS SELECT a.i + b.i AS x FROM {0} AS a(i), {0} AS b(i)", numbers)});
  const auto database = open_database(
      database_.write_policy(budget("10000", "5000", "5000") + table_ + "[tables.slow]\nrows = \"add-remove\"\n"));
  Connection slow = connect(database);
  Connection quick = connect(database);
  std::atomic<bool> is_cancelled = false;
  std::thread other([&] {
    const auto told = answer_query(slow, question("SELECT count(*) FROM slow WHERE x % 7 = 3", "ana", 0.7));
    EXPECT_FALSE(told);
    if (!told) {
      EXPECT_EQ(told.error().what, "cancelled");
    }
    is_cancelled = true;
  });
  int answered = 0;
  while (!is_cancelled) {
    const auto told = answer_query(quick, question("SELECT count(*) FROM visit", "bo", 0.7));
    EXPECT_TRUE(told) << to_line(told.error());
    if (++answered >= 3) slow.engine->cancel();  // again and again: the question may not have begun
  }
  other.join();
  EXPECT_TRUE(answer_query(slow, question("SELECT count(*) FROM visit", "ana", 0.7)));
}

TEST_P(Connections, OutliveTheirDatabaseAndEachOther) {
  auto database = open_database(database_.write_policy(budget("10000", "5000", "5000") + table_));
  auto first = std::make_unique<Connection>(connect(database));
  Connection second = connect(database);
  database.reset();
  EXPECT_TRUE(answer_query(*first, question("SELECT count(*) FROM visit", "ana", 0.7)));
  first.reset();
  EXPECT_TRUE(answer_query(second, question("SELECT count(*) FROM visit", "ana", 0.7)));
}

INSTANTIATE_TEST_SUITE_P(Engines, Connections, ::testing::ValuesIn(every_engine),
                         [](const auto& info) { return name_of(info.param); });

TEST(ConnectionsOfPostgres, FailWhereATableChangedSinceThePolicyWasOpened) {
  const TestDatabase server(EngineKind::postgres);
  server.run({"CREATE TABLE visit (id int PRIMARY KEY, ward int)", "CREATE TABLE bed (id int PRIMARY KEY)"});
  const std::string policy = server.write_policy(budget("10", "5", "5") + "[tables.visit]\nrows = \"add-remove\"\n" +
                                                 "[tables.bed]\nrows = \"add-remove\"\n");
  const auto database = open_database(policy);
  Connection before = connect(database);
  const Question about_visits = question("SELECT count(*) FROM visit", "ana", 0.5);
  EXPECT_TRUE(answer_query(before, about_visits));
  server.run({"ALTER TABLE visit DROP CONSTRAINT visit_pkey", "ALTER TABLE visit ALTER ward TYPE bigint"});
  Connection after = connect(database);
  for (Connection* connection : {&before, &after}) {
    const auto told = answer_query(*connection, about_visits);
    ASSERT_FALSE(told);
    EXPECT_EQ(told.error().code, FailureCode::engine);
    EXPECT_EQ(told.error().what, "table `public.visit` has changed since the policy was checked, or is gone");
    EXPECT_EQ(told.error().hint, "run the command again; a program that embeds Tacit opens the database again");
    EXPECT_TRUE(answer_query(*connection, question("SELECT count(*) FROM bed", "ana", 0.5))) << "of another table";
  }
  EXPECT_NEAR(spent_by(*database, "ana"), 1.5, 1e-9) << "what failed costs nothing";
  Connection again = connect(open_database(policy));
  EXPECT_TRUE(answer_query(again, about_visits));
}

// A folder of files: a database, a table in a CSV file.
class Files : public ::testing::Test {
 protected:
  Files() : database_(EngineKind::duckdb) {
    database_.run({"CREATE TABLE visit AS SELECT range AS id FROM range(1000)"});
    std::ofstream csv(database_.folder() / "bed.csv");
    csv << "id\n";
    for (int i = 0; i < 3000; ++i) csv << i << '\n';
    csv.close();
    policy_ = database_.write_policy(budget("10000", "5000", "5000") +
                                     "[tables.visit]\nrows = \"add-remove\"\n[tables.bed]\nrows = \"add-remove\"\n"
                                     "source = \"bed.csv\"\n[tables.bed.columns]\nid = { type = \"bigint\" }\n");
  }
  TestDatabase database_;
  std::string policy_;
};

TEST_F(Files, AreReadOnce) {
  const auto database = open_database(policy_);
  Connection first = connect(database);
  for (const char* file : {"policy.toml", "bed.csv", "test.duckdb"}) {
    ASSERT_TRUE(std::filesystem::remove(database_.folder() / file));
  }
  ASSERT_FALSE(Database::open(policy_));
  Connection second = connect(database);
  for (Connection* connection : {&first, &second}) {
    for (const auto& [table, rows] : std::map<std::string, double>{{"visit", 1000}, {"bed", 3000}}) {
      const auto told = answer_query(*connection, question("SELECT count(*) FROM " + table, "ana", 1));
      ASSERT_TRUE(told) << to_line(told.error());
      EXPECT_NEAR(only_number(told), rows, 100);
    }
  }
}

TEST_F(Files, ASecondConnectionOpensWithinTwoMilliseconds) {
  const auto database = open_database(policy_);
  Connection first = connect(database);
  EXPECT_TRUE(answer_query(first, question("SELECT count(*) FROM bed", "ana", 1)));
  std::vector<double> times;
  std::vector<Connection> kept;
  for (int i = 0; i < 31; ++i) {
    const double before = 1e3 * cpu_seconds();
    kept.push_back(connect(database));
    times.push_back(1e3 * cpu_seconds() - before);
  }
  std::nth_element(times.begin(), times.begin() + 15, times.end());
  std::printf("a second connection: %.2f ms of CPU time\n", times[15]);
  EXPECT_LT(times[15], tacit::testing::time_limit(2.0));
}

}  // namespace
}  // namespace tacit
