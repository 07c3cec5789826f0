#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "engine/postgres_fixture.hpp"
#include "support/time_limit.hpp"

namespace tacit {
namespace {

using Clock = std::chrono::steady_clock;
using tacit::testing::PostgresServer;
using tacit::testing::seconds_since;
using tacit::testing::time_limit;

// The server itself stops the statement. 4 seconds later Tacit would leave it running and go on without it, so that
// the sanitizers have less than that.
constexpr double reaction = time_limit(1) > 1 ? 3.5 : 1;

class PostgresFailures : public PostgresTest {
 protected:
  static std::string what(const Status& status) { return status ? "" : status.error().what; }

  void terminate_backends() const {
    sql(
        {"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'tacit' AND datname = "
         "current_database()"});
  }

  virtual const PostgresServer& asked_server() const { return server; }
  virtual std::string asked_database() const { return database; }

  // Runs `disturb` while the engine sleeps in a statement; how that ended.
  Failure disturbed(Engine& engine, const std::function<void()>& disturb) const {
    Clock::time_point begin;
    std::thread other([&] {
      wait_until_asleep(asked_server(), asked_database());
      begin = Clock::now();
      disturb();
    });
    const auto slept = engine.measure("SELECT pg_sleep(20)");
    const auto end = Clock::now();
    other.join();
    EXPECT_LT(std::chrono::duration<double>(end - begin).count(), reaction) << "from the moment it was disturbed";
    return slept ? Failure{} : slept.error();
  }
};

// One of its own: it is stopped, started and configured.
class PostgresRestarts : public PostgresFailures {
 protected:
  static PostgresServer& own() {
    static PostgresServer server;
    return server;
  }
  const PostgresServer& asked_server() const override { return own(); }
  std::string asked_database() const override { return "postgres"; }
  PostgresRestarts() { policy.engine.url = own().url(); }
  ~PostgresRestarts() override { own().start(); }
};

TEST_F(PostgresFailures, StopsAtTheTimeout) {
  policy.engine.timeout_seconds = 0.5;
  const auto engine = open();
  const auto begin = Clock::now();
  const auto slept = engine->measure("SELECT pg_sleep(20)");
  EXPECT_LT(seconds_since(begin), 0.5 + reaction);
  EXPECT_EQ(what(slept), "the engine did not finish within 0.5 s");
  EXPECT_EQ(slept.error().hint, "raise `timeout` under [engine] in the policy");
  EXPECT_TRUE(engine->measure("SELECT 1"));
}

TEST_F(PostgresFailures, StopsAtTheTimeoutWhileRowsArrive) {
  policy.engine.timeout_seconds = 0.5;
  const auto engine = open();
  const auto begin = Clock::now();
  EXPECT_EQ(what(engine->measure("SELECT i FROM generate_series(1, 1000000000) AS s(i)")),
            "the engine did not finish within 0.5 s");
  EXPECT_LT(seconds_since(begin), 0.5 + reaction);
}

TEST_F(PostgresFailures, StopsWhenCancelled) {
  const auto engine = open();
  const Failure failure = disturbed(*engine, [&] { engine->cancel(); });
  EXPECT_EQ(failure.what, "cancelled");
  EXPECT_TRUE(engine->measure("SELECT pg_sleep(0.3)"));
  EXPECT_EQ(server
                .rows(database,
                      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND pid <> "
                      "pg_backend_pid() AND state = 'active'")
                .at(0)
                .at(0),
            "0");
}

TEST_F(PostgresFailures, GivesUpOnAServerThatDoesNotReact) {
  const auto engine = open();
  const auto process = engine->read_public({"SELECT pg_backend_pid()", {SqlType::integer()}});
  ASSERT_TRUE(process);
  const auto backend = static_cast<pid_t>(std::get<Decimal>(process->at(0).at(0)).units);
  ASSERT_EQ(kill(backend, SIGSTOP), 0);
  const auto begin = Clock::now();
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    engine->cancel();
  });
  EXPECT_EQ(what(engine->measure("SELECT 1")), "cancelled");
  later.join();
  EXPECT_LT(seconds_since(begin), time_limit(6));
  EXPECT_TRUE(engine->measure("SELECT 1"));  // on a connection of its own
  kill(backend, SIGCONT);
}

TEST_F(PostgresFailures, TellsAnAdministratorsStopFromOurOwn) {
  const auto engine = open();
  const Failure failure = disturbed(*engine, [&] {
    sql(
        {"SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'tacit' AND datname = "
         "current_database()"});
  });
  EXPECT_EQ(failure.what, "the server's administrator stopped the query");
}

TEST_F(PostgresFailures, ConnectsAgainBetweenSnapshots) {
  sql({"CREATE TABLE t (a int)"});
  const auto engine = open();
  terminate_backends();
  EXPECT_TRUE(engine->measure("SELECT 1"));
  terminate_backends();
  ASSERT_TRUE(engine->catalog());
  terminate_backends();
  EXPECT_TRUE(engine->begin_snapshot({{"public", "t"}}));
  engine->end_snapshot();
  const Failure failure = disturbed(*engine, [&] { terminate_backends(); });
  EXPECT_EQ(failure.what, "the server ended the connection");
  EXPECT_TRUE(engine->measure("SELECT 1"));
}

TEST_F(PostgresFailures, NamesTheTableThatTheRoleMayNotRead) {
  const std::string role = make_role();
  sql({"CREATE TABLE t (a int)", "GRANT SELECT ON t TO " + role});
  policy.engine.url = url_as(role);
  const auto engine = open();
  ASSERT_TRUE(engine->catalog());
  sql({"REVOKE SELECT ON t FROM " + role});
  const auto rows = engine->run({"SELECT count(*) FROM public.t", {}, {0}, {{"public", "t"}}});
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().what, "the role may not read table `public.t`");
  EXPECT_EQ(rows.error().hint, "GRANT SELECT ON public.t TO the role, and USAGE on the schema");
  EXPECT_EQ(what(engine->begin_snapshot({{"public", "t"}})), "the role may not read table `public.t`");
}

TEST_F(PostgresFailures, SendsLongStatements) {
  const auto engine = open();
  const std::string spaces(20'000'000, ' ');
  EXPECT_TRUE(engine->measure("SELECT" + spaces + "1"));
  const auto process = engine->read_public({"SELECT pg_backend_pid()", {SqlType::integer()}});
  ASSERT_TRUE(process);
  const auto backend = static_cast<pid_t>(std::get<Decimal>(process->at(0).at(0)).units);
  ASSERT_EQ(kill(backend, SIGSTOP), 0);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    engine->cancel();
  });
  EXPECT_EQ(what(engine->measure("SELECT" + spaces + "1")), "cancelled");
  other.join();
  kill(backend, SIGCONT);
}

TEST_F(PostgresFailures, NeverTellsAValue) {
  sql({"CREATE TABLE t (a text)", "INSERT INTO t VALUES ('private value')"});
  const auto engine = open();
  for (const char* statement :
       {"SELECT CAST(a AS INTEGER) FROM public.t", "SELECT 1 / (length(a) - length(a)) FROM public.t",
        "SELECT CAST(a AS DATE) FROM public.t", "SELECT power(10, 400 * length(a)) FROM public.t",
        "SELECT missing FROM public.t", "SELECT a FROM public.missing", "SELECT missing(a) FROM public.t"}) {
    const auto failed = engine->measure(statement);
    ASSERT_FALSE(failed) << statement;
    EXPECT_EQ(to_line(failed.error()).find("private"), std::string::npos);
    EXPECT_EQ(failed.error().code, FailureCode::engine);
    EXPECT_FALSE(failed.error().hint.empty());
  }
}

TEST_F(PostgresRestarts, SurvivesAServerThatStopsMidQuery) {
  for (const int signal : {SIGINT, SIGQUIT, SIGKILL}) {
    SCOPED_TRACE(signal);
    const auto engine = open();
    const std::string identity = engine->identity();
    const Failure failure = disturbed(*engine, [&] { own().stop(signal); });
    EXPECT_EQ(failure.code, FailureCode::engine);
    EXPECT_TRUE(failure.what == "the server ended the connection" || failure.what == "the server crashed" ||
                failure.what == "the connection to the server was lost")
        << failure.what;
    EXPECT_EQ(what(engine->measure("SELECT 1")), "no PostgreSQL server listens at the url's host and port");
    EXPECT_FALSE(engine->begin_snapshot({}));
    own().start();
    EXPECT_TRUE(engine->measure("SELECT 1"));
    EXPECT_TRUE(engine->begin_snapshot({}));
    EXPECT_EQ(engine->identity(), identity);
  }
}

TEST_F(PostgresRestarts, RefusesAnotherDatabaseAtTheSamePlace) {
  const std::string name = ".s.PGSQL.5432";
  const auto socket_of = [](const PostgresServer& s) { return s.folder() / (".s.PGSQL." + std::to_string(s.port())); };
  std::filesystem::create_symlink(socket_of(own()), folder / name);
  policy.engine.url = "postgresql:///postgres?user=postgres&port=5432&host=" + folder.string();
  const auto engine = open();
  ASSERT_TRUE(engine->measure("SELECT 1"));
  own().stop(SIGINT);
  std::filesystem::remove(folder / name);
  std::filesystem::create_symlink(socket_of(server), folder / name);
  EXPECT_EQ(what(engine->measure("SELECT 1")), "the connection was lost, and another database answers at the url now");
}

}  // namespace
}  // namespace tacit
