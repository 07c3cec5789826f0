#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <random>
#include <thread>

#include "engine/duckdb/open_duckdb.hpp"
#include "engine/engine_fixture.hpp"
#include "support/time_limit.hpp"

namespace tacit {
namespace {

using tacit::testing::time_limit;

class FailuresTest : public EngineTest {
 protected:
  // Nothing of DuckDB's own wording may reach a person.
  static void expect_own_words(const Failure& failure) {
    EXPECT_EQ(failure.code, FailureCode::engine) << to_line(failure);
    const std::string line = to_line(failure);
    for (const char* engine_words :
         {"IO Error", "Catalog Error", "Binder", "Conversion", "Out of Memory Error", "INTERRUPT", "LINE 1", "PID",
          "duckdb.org", "checksum", "SECRET", "31337", "max_temp_directory_size"}) {
      EXPECT_EQ(line.find(engine_words), std::string::npos) << line;
    }
  }

  static bool still_works(Engine& engine) {
    const auto rows = engine.run({"SELECT 42", {}, {0}, {}});
    return rows && ExactRowsReader(*rows).cell(0, 0) == 42;
  }
};

// Hours of work in a few words; no memory.
const EngineQuery endless{
    "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3", {}, {0}, {}};

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_F(FailuresTest, StopsAtTheTimeoutAndStaysUsable) {
  policy.engine.timeout_seconds = 0.3;
  const auto engine = open();
  for (int time = 0; time < 2; ++time) {
    Failure failure;
    const double seconds = seconds_of([&] { failure = engine->run(endless).error(); });
    EXPECT_EQ(failure.what, "the engine did not finish within 0.3 s");
    expect_own_words(failure);
    EXPECT_GE(seconds, 0.3);
    EXPECT_LT(seconds, time_limit(5));
    EXPECT_TRUE(still_works(*engine));
  }
  EXPECT_EQ(engine->read_public({endless.sql, {SqlType::integer()}}).error().what,
            "the engine did not finish within 0.3 s");
  EXPECT_EQ(engine->measure(endless.sql).error().what, "the engine did not finish within 0.3 s");
  EXPECT_TRUE(engine->measure("SELECT 'anything', 1.5, NULL"));
}

TEST_F(FailuresTest, StopsWhenCancelledFromAnotherThreadAndStaysUsable) {
  const auto engine = open();
  Failure failure;
  const double seconds = seconds_of([&] {
    auto canceller = std::async(std::launch::async, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      engine->cancel();
    });
    failure = engine->run(endless).error();
  });
  EXPECT_EQ(failure.what, "cancelled");
  expect_own_words(failure);
  EXPECT_LT(seconds, time_limit(5));
  EXPECT_TRUE(still_works(*engine));
}

TEST_F(FailuresTest, ForgetsACancelThatCameWhenNothingRan) {
  const auto engine = open();
  engine->cancel();
  EXPECT_TRUE(still_works(*engine));
}

TEST_F(FailuresTest, SaysWhenMemoryRunsOut) {
  policy.engine.memory_bytes = 50'000'000;
  const auto engine = open();
  const auto rows = engine->run({"SELECT len(list(range)) FROM range(20000000)", {}, {0}, {}});
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().what, "the engine ran out of memory");
  expect_own_words(rows.error());
  EXPECT_TRUE(still_works(*engine));
}

const EngineQuery spilling{
    "SELECT max(n + length(s))::BIGINT FROM (SELECT s, row_number() OVER (ORDER BY h) AS n FROM "
    "(SELECT hash(range) AS h, 'some text ' || range AS s FROM range(1000000)))",
    {},
    {0},
    {}};

TEST_F(FailuresTest, SaysWhenTheDiskIsFull) {
  policy.engine.memory_bytes = 50'000'000;
  const auto engine = open_duckdb(policy, "", 1'000'000);
  ASSERT_TRUE(engine) << to_line(engine.error());
  const auto rows = engine->engine->run(spilling);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().what, "the engine ran out of disk space for its temporary files");
  expect_own_words(rows.error());
  EXPECT_TRUE(still_works(*engine->engine));
}

TEST_F(FailuresTest, SpillsIntoAPrivateDirectoryThatIsRemoved) {
  policy.engine.memory_bytes = 50'000'000;
  std::filesystem::create_directory(folder / "tmp");
  const char* outer = getenv("TMPDIR");
  const std::string before = outer == nullptr ? "" : outer;
  setenv("TMPDIR", at("tmp").c_str(), 1);
  auto engine = open();
  outer == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", before.c_str(), 1);

  std::filesystem::directory_iterator inside(folder / "tmp");
  ASSERT_NE(inside, std::filesystem::directory_iterator());
  const std::filesystem::path spill = inside->path();
  struct stat status {};
  ASSERT_EQ(stat(spill.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);

  std::atomic<bool> ended = false;
  auto watcher = std::async(std::launch::async, [&] {
    bool spilled = false;
    while (!ended) spilled = spilled || !std::filesystem::is_empty(spill);
    return spilled;
  });
  const auto rows = engine->run(spilling);
  ended = true;
  EXPECT_TRUE(rows) << to_line(rows.error());
  EXPECT_TRUE(watcher.get());
  engine.reset();
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

TEST_F(FailuresTest, KeepsValuesOfTheDataToItself) {
  prepare("secret.duckdb", {"CREATE TABLE t(s VARCHAR)", "INSERT INTO t VALUES ('SECRET 31337')"});
  policy.engine.url = "duckdb:secret.duckdb";
  const auto engine = open();
  for (const char* sql :
       {"SELECT sum(CAST(s AS INTEGER)) FROM t", "SELECT count(nothing) FROM t", "SELECT count(*) FROM gone",
        "SELECT strptime(s, '%Y') FROM t", "SELECT 'SECRET", "SELECT 9223372036854775807 + 31337"}) {
    const auto rows = engine->run({sql, {}, {0}, {}});
    ASSERT_FALSE(rows) << sql;
    expect_own_words(rows.error());
    EXPECT_TRUE(still_works(*engine)) << sql;
  }
  EXPECT_EQ(engine->run({"SELECT count(*) FROM gone", {}, {0}, {}}).error().what,
            "the engine does not find a table or column that the query reads");
}

TEST_F(FailuresTest, SaysWhatIsWrongWithTheDatabaseFile) {
  const auto failure_of = [&](const std::string& file) {
    policy.engine.url = "duckdb:" + file;
    const Failure failure = open_failure();
    expect_own_words(failure);
    EXPECT_EQ(failure.where, at(file));
    return failure.what;
  };
  EXPECT_EQ(failure_of("missing.duckdb"), "the database does not exist or is out of reach");
  EXPECT_FALSE(std::filesystem::exists(at("missing.duckdb")));
  EXPECT_EQ(failure_of("no/such/folder.duckdb"), "the database does not exist or is out of reach");
  std::filesystem::create_directory(folder / "folder");
  EXPECT_EQ(failure_of("folder"), "the database is a directory, not a file");
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(failure_of("pipe"), "the database is not an ordinary file");
  write("empty.duckdb", "");
  EXPECT_EQ(failure_of("empty.duckdb"), "the file is not a DuckDB database");
  write("text.duckdb", "SECRET text that is no database at all, 31337");
  EXPECT_EQ(failure_of("text.duckdb"), "the file is not a DuckDB database");

  prepare("whole.duckdb", {"CREATE TABLE t AS SELECT range AS a FROM range(100000)"});
  const auto size = std::filesystem::file_size(at("whole.duckdb"));
  for (const std::uintmax_t cut : {std::uintmax_t{13}, std::uintmax_t{5000}, std::uintmax_t{12288}, size / 2}) {
    std::filesystem::copy_file(at("whole.duckdb"), at("cut.duckdb"), std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(at("cut.duckdb"), cut);
    EXPECT_EQ(failure_of("cut.duckdb"), "the database file is damaged or not complete") << cut;
  }
}

// Random damage is noticed when the file is opened or when the damaged part is read, and never crashes.
TEST_F(FailuresTest, SurvivesRandomDamage) {
  prepare("whole.duckdb", {"CREATE TABLE t AS SELECT range AS a, 'SECRET' || range AS s FROM range(20000)"});
  policy.engine.url = "duckdb:bad.duckdb";
  const auto size = std::filesystem::file_size(at("whole.duckdb"));
  std::mt19937 random(1);
  int failed = 0;
  for (int time = 0; time < 20; ++time) {
    std::filesystem::copy_file(at("whole.duckdb"), at("bad.duckdb"), std::filesystem::copy_options::overwrite_existing);
    const auto offset = static_cast<off_t>(random() % size);
    const int fd = ::open(at("bad.duckdb").c_str(), O_WRONLY);
    const std::string noise(4096, static_cast<char>(random()));
    ASSERT_EQ(pwrite(fd, noise.data(), noise.size(), offset), static_cast<ssize_t>(noise.size()));
    close(fd);
    const auto engine = open_engine(policy);
    const auto rows = engine ? (*engine)->run({"SELECT sum(a) + sum(length(s)) FROM t", {}, {0}, {}})
                             : Result<ExactRows>(tl::unexpected(engine.error()));
    if (rows) continue;
    ++failed;
    expect_own_words(rows.error());
  }
  EXPECT_GT(failed, 5);
}

TEST_F(FailuresTest, SaysWhenAFileMayNotBeRead) {
  prepare("closed.duckdb", {"CREATE TABLE t(a INTEGER)"});
  std::filesystem::permissions(folder, std::filesystem::perms{0755});
  std::filesystem::permissions(at("closed.duckdb"), std::filesystem::perms::none);
  policy.engine.url = "duckdb:closed.duckdb";
  const bool is_root = geteuid() == 0;  // root may read everything: be nobody for a moment
  constexpr uid_t nobody = 65534;
  ASSERT_EQ(is_root ? seteuid(nobody) : 0, 0);
  const Failure failure = open_failure();
  ASSERT_EQ(is_root ? seteuid(0) : 0, 0);
  EXPECT_EQ(failure.what, "the database may not be read by this user");
  expect_own_words(failure);
}

TEST_F(FailuresTest, SaysWhenAnotherProcessWritesTheDatabase) {
  prepare("shop.duckdb", {"CREATE TABLE t(a INTEGER)"});
  policy.engine.url = "duckdb:shop.duckdb";
  int ready[2];
  int leave[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(leave), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    duckdb_database database = nullptr;
    char word = duckdb_open(at("shop.duckdb").c_str(), &database) == DuckDBSuccess ? 'y' : 'n';
    if (::write(ready[1], &word, 1) != 1 || ::read(leave[0], &word, 1) != 1) _exit(1);
    _exit(0);
  }
  char word = 0;
  ASSERT_EQ(::read(ready[0], &word, 1), 1);
  EXPECT_EQ(word, 'y');
  const Failure failure = open_failure();
  EXPECT_EQ(failure.what, "another process is writing to the database");
  expect_own_words(failure);
  ASSERT_EQ(::write(leave[1], &word, 1), 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_NE(open(), nullptr);
  for (const int fd : {ready[0], ready[1], leave[0], leave[1]}) close(fd);
}

TEST_F(FailuresTest, RefusesEnginesItDoesNotHave) {
  for (const auto& [url, what] : std::vector<std::pair<std::string, std::string>>{
           {"spark://ana:SECRET@host", "this version of Tacit does not run on Spark yet"},
           {"mysql://ana:SECRET@host/db", "the url under [engine] names no engine Tacit knows"},
           {"", "the url under [engine] names no engine Tacit knows"}}) {
    policy.engine.url = url;
    const Failure failure = open_failure();
    EXPECT_EQ(failure.code, FailureCode::usage);
    EXPECT_EQ(failure.what, what);
    EXPECT_EQ(failure.where, policy.path + ":2");
    EXPECT_EQ(to_line(failure).find("SECRET"), std::string::npos);
  }
}

}  // namespace
}  // namespace tacit
