#include <chrono>
#include <thread>

#include "engine/postgres_fixture.hpp"
#include "support/time_limit.hpp"

namespace tacit {
namespace {

using tacit::testing::time_limit;

class PostgresSnapshot : public PostgresTest {
 protected:
  std::unique_ptr<Engine> open_and_check() const {
    auto engine = open();
    const auto catalog = engine->catalog();
    if (!catalog) throw std::runtime_error(to_line(catalog.error()));
    return engine;
  }

  static Int128 count(Engine& engine, const std::string& table) {
    const auto rows = engine.run({"SELECT count(*) FROM " + table, {}, {0}, {}});
    if (!rows) throw std::runtime_error(to_line(rows.error()));
    return ExactRowsReader(*rows).cell(0, 0);
  }

  void expect_changed(Engine& engine, const std::string& table) const {
    const auto begun = engine.begin_snapshot({{"public", table}});
    ASSERT_FALSE(begun);
    EXPECT_EQ(begun.error().code, FailureCode::engine);
    EXPECT_EQ(begun.error().what, "table `public." + table + "` has changed since the policy was checked, or is gone");
    EXPECT_EQ(begun.error().hint, "run the command again; a program that embeds Tacit opens the database again");
  }

  // Whether somebody can change a definition right now.
  bool can_do(const std::string& statement) const {
    try {
      sql({"SET lock_timeout = '150ms'; " + statement});
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  }

  // Takes the lock of `statement`, holds it for a while and commits.
  std::thread change_slowly(const std::string& statement) const {
    std::thread other([this, statement] { sql({"BEGIN; " + statement + "; SELECT pg_sleep(0.6); COMMIT"}); });
    wait_until_asleep(server, database);
    return other;
  }
};

TEST_F(PostgresSnapshot, IsOneStateOfTheData) {
  sql({"CREATE TABLE t (a int)", "INSERT INTO t VALUES (1)"});
  const auto engine = open_and_check();
  ASSERT_TRUE(engine->begin_snapshot({{"public", "t"}}));
  EXPECT_TRUE(count(*engine, "public.t") == 1);
  sql({"INSERT INTO t VALUES (2)"});
  EXPECT_TRUE(count(*engine, "public.t") == 1);
  engine->end_snapshot();
  EXPECT_TRUE(count(*engine, "public.t") == 2);
  engine->end_snapshot();  // harmless
}

TEST_F(PostgresSnapshot, CanHoldNoTables) {
  const auto engine = open();
  EXPECT_TRUE(engine->begin_snapshot({}));
  EXPECT_TRUE(engine->measure("SELECT 1"));
  EXPECT_TRUE(engine->catalog());
  engine->end_snapshot();
}

TEST_F(PostgresSnapshot, RefusesATableThatHasChanged) {
  const auto refuses = [this](const std::string& change) {
    sql({"SET client_min_messages = warning; DROP TABLE IF EXISTS t CASCADE",
         "CREATE TABLE t (a int NOT NULL UNIQUE, b text)"});
    const auto engine = open_and_check();
    ASSERT_TRUE(engine->begin_snapshot({{"public", "t"}}));
    engine->end_snapshot();
    sql({change});
    SCOPED_TRACE(change);
    expect_changed(*engine, "t");
    EXPECT_TRUE(engine->measure("SELECT 1"));
  };
  refuses("DROP TABLE t");
  refuses("ALTER TABLE t RENAME TO u");
  sql({"DROP TABLE u"});
  refuses("ALTER TABLE t ALTER a TYPE bigint");
  refuses("ALTER TABLE t ALTER a DROP NOT NULL");
  refuses("ALTER TABLE t DROP CONSTRAINT t_a_key");
  refuses("ALTER TABLE t ALTER b TYPE varchar(3)");
  refuses("ALTER TABLE t ALTER b TYPE text COLLATE \"C\"");
  refuses("ALTER TABLE t DROP b");
  refuses("ALTER TABLE t ADD c int");
  refuses("ALTER TABLE t RENAME b TO c");
  refuses("CREATE TABLE child () INHERITS (t)");
  refuses("BEGIN; DROP TABLE t; CREATE VIEW t AS SELECT 1 AS a, ''::text AS b; COMMIT");
}

TEST_F(PostgresSnapshot, AcceptsATableThatWasMadeAgain) {
  sql({"CREATE TABLE t (a int)"});
  const auto engine = open_and_check();
  sql({"DROP TABLE t", "CREATE TABLE t (a int)", "REINDEX DATABASE " + database});
  EXPECT_TRUE(engine->begin_snapshot({{"public", "t"}}));
}

TEST_F(PostgresSnapshot, RefusesATableItNeverKnew) {
  const auto engine = open_and_check();
  sql({"CREATE TABLE t (a int)"});
  expect_changed(*engine, "t");
}

TEST_F(PostgresSnapshot, KeepsEveryKindOfTableFromChanging) {
  const std::string role = make_role();
  sql({"CREATE EXTENSION file_fdw", "CREATE SERVER s FOREIGN DATA WRAPPER file_fdw", "CREATE TABLE plain (a int)",
       "CREATE TABLE parted (a int) PARTITION BY LIST (a)",
       "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1)", "CREATE TABLE base (a int, b int)",
       "CREATE VIEW looked AS SELECT a FROM base", "CREATE DOMAIN price AS numeric(12,2)",
       "CREATE MATERIALIZED VIEW kept AS SELECT a, 1::price AS p, ''::varchar(7) AS v, ''::char(3) AS c FROM plain",
       "CREATE FOREIGN TABLE far (a int) SERVER s OPTIONS (program 'true')", "CREATE TABLE part (a int, b int)",
       "GRANT SELECT ON plain, parted, looked, kept, far TO " + role, "GRANT SELECT (a) ON part TO " + role});
  policy.engine.url = url_as(role);
  const auto engine = open_and_check();
  const auto begun = engine->begin_snapshot({{"public", "plain"},
                                             {"public", "parted"},
                                             {"public", "looked"},
                                             {"public", "kept"},
                                             {"public", "far"},
                                             {"public", "part"}});
  ASSERT_TRUE(begun) << to_line(begun.error());
  const std::vector<std::string> changes = {"ALTER TABLE plain ADD x int",
                                            "ALTER TABLE parted ADD x int",
                                            "DROP TABLE parted_1",
                                            "CREATE OR REPLACE VIEW looked AS SELECT a + 0 AS a FROM base",
                                            "ALTER TABLE base ADD x int",
                                            "REFRESH MATERIALIZED VIEW kept",
                                            "ALTER MATERIALIZED VIEW kept RENAME a TO x",
                                            "ALTER FOREIGN TABLE far ADD x int",
                                            "ALTER TABLE part ALTER a TYPE bigint"};
  for (const std::string& change : changes) EXPECT_FALSE(can_do(change)) << change;
  EXPECT_TRUE(can_do("INSERT INTO plain VALUES (1)"));
  engine->end_snapshot();
  EXPECT_TRUE(can_do("ALTER TABLE plain ADD x int"));
}

TEST_F(PostgresSnapshot, WaitsForAChangeUnderWayAndThenSeesIt) {
  sql({"CREATE TABLE t (a int)"});
  const auto engine = open_and_check();
  std::thread other = change_slowly("ALTER TABLE t ALTER a TYPE bigint");
  expect_changed(*engine, "t");
  other.join();
}

TEST_F(PostgresSnapshot, SeesAChangeBetweenTheSnapshotAndTheLockWhereThereIsNoLockTable) {
  const std::string role = make_role();
  sql({"CREATE TABLE t (a int, b int)", "GRANT SELECT (a) ON t TO " + role,
       "CREATE MATERIALIZED VIEW m AS SELECT 1 AS a", "GRANT SELECT ON m TO " + role});
  policy.engine.url = url_as(role);
  const auto engine = open_and_check();
  std::thread other = change_slowly("ALTER TABLE t ALTER a TYPE bigint");
  expect_changed(*engine, "t");
  other.join();
  other = change_slowly(
      "DROP MATERIALIZED VIEW m; CREATE MATERIALIZED VIEW m AS SELECT 'x'::text AS a; "
      "GRANT SELECT ON m TO " +
      role);
  expect_changed(*engine, "m");
  other.join();
}

TEST_F(PostgresSnapshot, FailsWhenATableStaysLocked) {
  sql({"CREATE TABLE t (a int)"});
  policy.engine.timeout_seconds = 0.3;
  const auto engine = open_and_check();
  std::thread other = change_slowly("LOCK TABLE t");
  EXPECT_FALSE(engine->begin_snapshot({{"public", "t"}}));
  other.join();
  EXPECT_TRUE(engine->begin_snapshot({{"public", "t"}}));
}

TEST_F(PostgresSnapshot, IsNotContinuedOnAnotherConnection) {
  sql({"CREATE TABLE t (a int)"});
  const auto engine = open_and_check();
  ASSERT_TRUE(engine->begin_snapshot({{"public", "t"}}));
  sql(
      {"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tacit' AND datname = "
       "current_database()"});
  const auto first = engine->measure("SELECT 1");
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().what, "the server ended the connection");
  const auto second = engine->measure("SELECT 1");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().what, "the connection to the server was lost");
  engine->end_snapshot();
  EXPECT_TRUE(engine->begin_snapshot({{"public", "t"}}));
  EXPECT_TRUE(engine->measure("SELECT 1"));
}

TEST_F(PostgresSnapshot, NamesItsTablesWhenOneIsGone) {
  sql({"CREATE TABLE t (a int)", "CREATE TABLE u (a int)"});
  const auto engine = open_and_check();
  sql({"DROP TABLE t"});
  const auto begun = engine->begin_snapshot({{"public", "t"}, {"public", "u"}});
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().what,
            "one of the tables `public.t, public.u` has changed since the policy was checked, or is gone");
}

TEST_F(PostgresSnapshot, BeginsQuickly) {
  sql({"CREATE TABLE t (a int PRIMARY KEY, b text)", "CREATE TABLE u (a int REFERENCES t)"});
  const auto engine = open_and_check();
  auto best = std::chrono::steady_clock::duration::max();
  for (int i = 0; i < 20; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(engine->begin_snapshot({{"public", "t"}, {"public", "u"}}));
    engine->end_snapshot();
    best = std::min(best, std::chrono::steady_clock::now() - begin);
  }
  EXPECT_LT(std::chrono::duration<double>(best).count(), time_limit(0.1));
}

TEST_F(PostgresSnapshot, EndsWithAStatementThatFails) {
  const auto engine = open_and_check();
  ASSERT_TRUE(engine->begin_snapshot({}));
  EXPECT_FALSE(engine->measure("SELECT 1 / 0"));
  EXPECT_FALSE(engine->measure("SELECT 1"));
  engine->end_snapshot();
  EXPECT_TRUE(engine->measure("SELECT 1"));
}

}  // namespace
}  // namespace tacit
