// The deadline holds for statements that do not look at it.
#include <chrono>
#include <filesystem>
#include <thread>

#include "engine/duckdb/watched_statement.hpp"
#include "engine/end_of_process.hpp"
#include "engine/engine_fixture.hpp"
#include "support/time_limit.hpp"

namespace tacit {
namespace {

using Clock = std::chrono::steady_clock;
using tacit::testing::seconds_since;
using tacit::testing::time_limit;

// Several seconds inside one call of a function: DuckDB looks up after 2048 rows.
const EngineQuery deaf{"SELECT count(*) FROM t WHERE levenshtein(repeat(x, 400), repeat('b', 12000)) < 0", {}, {0}, {}};

class Deadline : public EngineTest {
 protected:
  Deadline() {
    prepare("deaf.duckdb", {"CREATE TABLE t AS SELECT repeat('a', 30) AS x FROM range(16)"});
    policy.engine.url = "duckdb:deaf.duckdb";
    policy.engine.timeout_seconds = 0.3;
  }
  // The thread ends with its kernel; the test program must not end before it.
  ~Deadline() override {
    const auto begin = Clock::now();
    while (has_abandoned_statements() && seconds_since(begin) < 120) std::this_thread::sleep_for(tick);
    EXPECT_FALSE(has_abandoned_statements());
  }
  static constexpr std::chrono::milliseconds tick{20};
};

TEST_F(Deadline, IsKeptWhenTheEngineIsDeaf) {
  auto engine = open();
  const auto begin = Clock::now();
  const auto rows = engine->run(deaf);
  EXPECT_LT(seconds_since(begin), 0.3 + time_limit(2));
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().what, "the engine did not finish within 0.3 s");
  EXPECT_TRUE(has_abandoned_statements());

  const auto later = Clock::now();
  for (const Failure& failure :
       {engine->run(deaf).error(), engine->begin_snapshot({}).error(), engine->catalog().error(),
        engine->measure("SELECT 1").error(), engine->read_public({"SELECT 1", {SqlType::integer()}}).error()}) {
    EXPECT_EQ(failure.code, FailureCode::engine);
    EXPECT_EQ(failure.what, "the engine is still busy with a statement that did not stop when it was told to");
    EXPECT_EQ(failure.hint, "start Tacit again; a program that embeds it opens another session");
  }
  engine.reset();
  EXPECT_LT(seconds_since(later), time_limit(1)) << "nobody waits for the thread";
  EXPECT_TRUE(open()->measure("SELECT 1")) << "a new engine works beside it";
}

TEST_F(Deadline, OtherConnectionsGoOn) {
  auto opened = open_engine_instance(policy);
  ASSERT_TRUE(opened) << to_line(opened.error());
  const auto other = opened->instance->connect();
  ASSERT_TRUE(other) << to_line(other.error());
  EXPECT_FALSE(opened->engine->run(deaf));
  EXPECT_TRUE(has_abandoned_statements());
  EXPECT_TRUE((*other)->measure("SELECT count(*) FROM t"));
  opened->engine.reset();
  const auto later = opened->instance->connect();
  ASSERT_TRUE(later) << to_line(later.error());
  opened->instance.reset();
  EXPECT_TRUE((*later)->measure("SELECT count(*) FROM t"));
  EXPECT_TRUE((*other)->measure("SELECT count(*) FROM t"));
}

TEST_F(Deadline, IsKeptForACancelToo) {
  policy.engine.timeout_seconds = 60;
  const auto engine = open();
  Clock::time_point begin;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    begin = Clock::now();
    engine->cancel();
  });
  const auto rows = engine->run(deaf);
  other.join();
  EXPECT_LT(seconds_since(begin), time_limit(2));
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().what, "cancelled");
}

// What the engine spilled, and the engine itself, go when the thread does.
TEST_F(Deadline, TheLastToLeaveCleansUp) {
  const auto spill_directories = [&] {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      count += entry.path().filename().string().starts_with("tacit-engine-") ? 1 : 0;
    }
    return count;
  };
  const char* old = std::getenv("TMPDIR");
  const std::string old_directory = old == nullptr ? "" : old;
  setenv("TMPDIR", folder.c_str(), 1);
  auto engine = open();
  old == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", old_directory.c_str(), 1);
  EXPECT_FALSE(engine->run(deaf));
  engine.reset();
  EXPECT_EQ(spill_directories(), 1U) << "in use";
  const auto begin = Clock::now();
  while (has_abandoned_statements() && seconds_since(begin) < 120) std::this_thread::sleep_for(tick);
  EXPECT_EQ(spill_directories(), 0U);
}

TEST(WatchedStatement, ThrowsWhatTheStatementThrew) {
  const std::atomic<bool> cancelled = false;
  EXPECT_THROW(
      duckdb_engine::run_watched([] { throw std::runtime_error("x"); }, std::chrono::seconds(9), cancelled, [] {}),
      std::runtime_error);
}

TEST(WatchedStatement, InterruptsUntilTheStatementEnds) {
  const std::atomic<bool> cancelled = true;
  std::atomic<int> interrupts = 0;
  const auto end = duckdb_engine::run_watched(
      [&] {
        while (interrupts < 3) std::this_thread::yield();
      },
      std::chrono::seconds(9), cancelled, [&] { ++interrupts; });
  EXPECT_FALSE(end.is_timed_out);
  EXPECT_FALSE(end.is_abandoned);
}

}  // namespace
}  // namespace tacit
