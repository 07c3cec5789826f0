#include "budget/ledger_file.hpp"

#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "budget/ledger_schema.hpp"
#include "budget/testing.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;
using testing::ask_and_reserve;
using testing::charge_of;
using ::testing::HasSubstr;

class LedgerFileTest : public ::testing::Test {
 protected:
  static std::string bytes_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    std::stringstream bytes;
    bytes << stream.rdbuf();
    return bytes.str();
  }
  static void write(const std::string& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  }
  // The sentence of the failure to open `path`.
  static std::string refusal(const std::string& path, const std::string& identity = testing::identity) {
    const auto ledger = Ledger::open(testing::small_policy(path), identity);
    if (ledger) return "opened";
    EXPECT_EQ(ledger.error().code, FailureCode::ledger);
    EXPECT_EQ(ledger.error().where, path);
    EXPECT_FALSE(ledger.error().hint.empty());
    return ledger.error().what;
  }
  // The same, asked by a user without rights (root may write anywhere).
  static std::string refusal_for_nobody(const std::string& path) {
    int channel[2];
    if (::pipe(channel) != 0) std::abort();
    const pid_t child = ::fork();
    if (child == 0) {
      constexpr gid_t nobody = 65534;
      if (::getuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setgid(nobody) != 0 || ::setuid(nobody) != 0)) {
        ::_exit(1);
      }
      const auto ledger = Ledger::open(testing::small_policy(path), testing::identity);
      const std::string what = ledger ? "opened" : ledger.error().what;
      (void)!::write(channel[1], what.data(), what.size());
      ::_exit(0);
    }
    ::close(channel[1]);
    std::string what(1000, ' ');
    const auto size = ::read(channel[0], what.data(), what.size());
    ::close(channel[0]);
    ::waitpid(child, nullptr, 0);
    return what.substr(0, size < 0 ? 0 : static_cast<std::size_t>(size));
  }

  testing::MemoryFolder folder;
  const std::string path = folder.file("shop.ledger");
};

TEST_F(LedgerFileTest, ANewLedgerIsForItsOwnerAlone) {
  const mode_t before = ::umask(0);
  {
    Ledger ledger = testing::open_or_abort(testing::small_policy(path));
    ASSERT_TRUE(ledger.asked("ana", "SELECT 1"));
    for (const std::string& file : {path, path + "-wal", path + "-shm"}) {
      EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write) << file;
    }
  }
  ::umask(before);
}

TEST_F(LedgerFileTest, WritesAheadWithFullSync) {
  auto file = open_ledger_file(path, testing::identity).value();
  EXPECT_EQ(file.text("PRAGMA journal_mode").value(), "wal");
  EXPECT_EQ(file.integer("PRAGMA synchronous").value(), 2);
  EXPECT_EQ(file.integer("PRAGMA application_id").value(), ledger_application_id);
  EXPECT_EQ(file.integer("PRAGMA user_version").value(), ledger_format);
}

TEST_F(LedgerFileTest, BelongsToOneDatabase) {
  EXPECT_EQ(refusal(path), "opened");
  EXPECT_EQ(refusal(path, "duckdb:other"), "the ledger belongs to another database");
  EXPECT_EQ(refusal(path), "opened") << "and still to the first";
}

TEST_F(LedgerFileTest, AnAdoptedLedgerKeepsWhatWasSpentAndForgetsItsOldDatabase) {
  const Policy policy = testing::small_policy(path);
  {
    Ledger ledger = testing::open_or_abort(policy);
    ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.5)));
  }
  EXPECT_EQ(Ledger::adopt(policy, testing::identity, "").error().code, FailureCode::usage);
  ASSERT_TRUE(Ledger::adopt(policy, "postgresql:1/shop", "moved\nhouse"));
  EXPECT_EQ(refusal(path), "the ledger belongs to another database");
  ASSERT_TRUE(Ledger::adopt(policy, "postgresql:2/shop", "upgraded"));
  EXPECT_EQ(refusal(path, "postgresql:1/shop"), "the ledger belongs to another database");
  auto ledger = Ledger::open(policy, "postgresql:2/shop");
  ASSERT_TRUE(ledger);
  EXPECT_EQ(ledger->remaining("ana", testing::account)->epsilon, Epsilon{1.5});
  const auto adoptions = ledger->adoptions();
  ASSERT_TRUE(adoptions);
  ASSERT_EQ(adoptions->size(), 2U);
  EXPECT_THAT(adoptions->at(0), HasSubstr("moved"));
  EXPECT_THAT(adoptions->at(1), HasSubstr("upgraded"));
  ASSERT_TRUE(Ledger::adopt(policy, testing::identity, "back home"));
  EXPECT_EQ(refusal(path), "opened");
}

TEST_F(LedgerFileTest, OtherFilesAreLeftUntouched) {
  for (const std::string& content :
       {std::string("x"), std::string("[budget]\nepsilon = 1\n"), std::string(20000, 'D'), std::string(5000, '\0'),
        std::string("SQLite format 3"), std::string("SQLite format 3\0", 16) + std::string(4080, '\1')}) {
    write(path, content);
    EXPECT_THAT(refusal(path), HasSubstr("is not a ledger, it was left untouched")) << content.substr(0, 20);
    EXPECT_TRUE(bytes_of(path) == content) << content.substr(0, 20);
    EXPECT_FALSE(fs::exists(path + "-wal"));
  }
}

TEST_F(LedgerFileTest, AnotherSqliteFileIsLeftUntouched) {
  write(path, "");
  {
    auto other = SqliteFile::open(path).value();
    ASSERT_TRUE(other.run_script("CREATE TABLE t (x); INSERT INTO t VALUES (1)"));
  }
  const std::string before = bytes_of(path);
  EXPECT_EQ(refusal(path), "the file is not a ledger, it was left untouched");
  EXPECT_TRUE(bytes_of(path) == before);
  {
    auto other = SqliteFile::open(path).value();
    ASSERT_TRUE(other.run_script("DROP TABLE t; VACUUM"));
  }
  EXPECT_EQ(refusal(path), "the file is not a ledger, it was left untouched") << "even without tables";
}

TEST_F(LedgerFileTest, AnUnknownFormatIsRefused) {
  EXPECT_EQ(refusal(path), "opened");
  ASSERT_TRUE(SqliteFile::open(path).value().run("PRAGMA user_version = 3"));
  EXPECT_EQ(refusal(path), "the ledger has format 3, this program knows format 2");
  ASSERT_TRUE(SqliteFile::open(path).value().run("PRAGMA user_version = 0"));
  EXPECT_EQ(refusal(path), "the ledger has format 0, this program knows format 2");
}

// Written by a program that knew no other format: one question answered, one failed, one cut off, one before a reset.
TEST_F(LedgerFileTest, FormatOneIsBroughtUpWithAllThatWasSpent) {
  write(path, "");
  {
    auto old = SqliteFile::open(path).value();
    ASSERT_TRUE(old.run_script("BEGIN"));
    ASSERT_TRUE(old.run_script(ledger_schema));
    ASSERT_TRUE(old.run("INSERT INTO meta VALUES ('engine_identity', ?1)", {std::string_view(testing::identity)}));
    std::int64_t id = 0;
    const auto add = [&](const char* kind, std::int64_t question, std::int64_t epsilon) {
      const bool has_account = std::string_view(kind) == "reserved";
      ASSERT_TRUE(old.run("INSERT INTO events VALUES (?1, '', ?2, ?3, 'ana', ?4, ?5, 0, '')",
                          {++id, std::string_view(kind), question,
                           std::string_view(has_account ? "metric/l1/ship:l1:x" : ""), epsilon}));
    };
    for (const char* end : {"", "reset", "answered", "failed", ""}) {
      if (end == std::string_view("reset")) {
        add("reset", 0, 0);
        continue;
      }
      const std::int64_t question = id + 1;
      add("asked", question, 0);
      add("reserved", question, 100'000'000);
      if (*end != '\0') add(end, question, 0);
    }
    ASSERT_TRUE(old.run_script("COMMIT"));
  }
  for (int opening = 0; opening < 2; ++opening) {
    Ledger ledger = testing::open_or_abort(testing::small_policy(path));
    EXPECT_EQ(ledger.remaining("ana", "metric/l1/ship:l1:x").value().epsilon.value(), 1.7);
    EXPECT_EQ(ledger.history(100).value().size(), 11u);
  }
  auto file = SqliteFile::open(path).value();
  EXPECT_EQ(file.integer("PRAGMA user_version").value(), 2);
  EXPECT_EQ(file.integer("SELECT question FROM unsettled").value(), 10) << "the one that was cut off";
  EXPECT_EQ(file.integer("SELECT count(*) FROM unsettled").value(), 1);
  ASSERT_TRUE(file.run("DELETE FROM unsettled"));
  EXPECT_THAT(refusal(path), HasSubstr("damaged"));
}

TEST_F(LedgerFileTest, AnEmptyFileIsFilled) {
  write(path, "");
  EXPECT_EQ(refusal(path), "opened") << "what a crash right after creation leaves";
  EXPECT_EQ(refusal(path, "duckdb:other"), "the ledger belongs to another database");
}

TEST_F(LedgerFileTest, OddNamesAreFilesToo) {
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  for (const std::string name : {":memory:", "file:x.ledger?mode=memory", "päper works.ledger"}) {
    EXPECT_EQ(refusal(name), "opened");
    EXPECT_TRUE(fs::is_regular_file(folder.path() / name)) << name;
  }
  EXPECT_EQ(refusal(""), "the ledger has no usable file name");
  fs::current_path(before);
}

TEST_F(LedgerFileTest, PlacesWhereNoLedgerCanBe) {
  EXPECT_EQ(refusal(folder.path().string()), "the ledger's path is not a plain file");
  EXPECT_EQ(refusal("/dev/null"), "the ledger's path is not a plain file");
  EXPECT_EQ(refusal(folder.file("missing/shop.ledger")), "the ledger cannot be created: its folder does not exist");
  EXPECT_EQ(refusal(folder.file(std::string(300, 'x'))), "the ledger cannot be created: its name is too long")
      << "name too long";
  const std::string fifo = folder.file("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(refusal(fifo), "the ledger's path is not a plain file");
  fs::create_symlink(folder.file("nowhere"), folder.file("link"));
  EXPECT_EQ(refusal(folder.file("link")), "the ledger cannot be opened");
}

TEST_F(LedgerFileTest, MissingRightsAreNamed) {
  EXPECT_EQ(refusal(path), "opened");
  fs::permissions(folder.path(),
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  EXPECT_EQ(refusal_for_nobody(folder.file("new.ledger")), "the ledger cannot be created: its folder is not writable");

  const auto everybody_reads = fs::perms::owner_read | fs::perms::others_read;
  fs::permissions(path, everybody_reads);
  EXPECT_EQ(refusal_for_nobody(path), "the ledger cannot be written") << "readable file";
  fs::permissions(path, everybody_reads | fs::perms::owner_write | fs::perms::others_write);
  EXPECT_EQ(refusal_for_nobody(path), "the ledger cannot be written") << "writable file in a read-only folder";
  fs::permissions(path, fs::perms::none);
  EXPECT_EQ(refusal_for_nobody(path), "the ledger cannot be opened") << "unreadable file";
  fs::permissions(folder.path(), fs::perms::owner_all);
  EXPECT_EQ(fs::file_size(path) > 0, true);
}

TEST_F(LedgerFileTest, ALockedLedgerIsNamedAfterAFewSeconds) {
  Ledger ledger = testing::open_or_abort(testing::small_policy(path));
  const auto question = ledger.asked("ana", "SELECT 1").value();
  auto other = SqliteFile::open(path).value();
  ASSERT_TRUE(other.run("BEGIN IMMEDIATE"));
  const auto start = std::chrono::steady_clock::now();
  const auto refused = ledger.reserve(question, charge_of("ana", 1.0));
  EXPECT_GE(std::chrono::steady_clock::now() - start, ledger_patience);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, FailureCode::ledger);
  EXPECT_EQ(refused.error().what, "another process holds the ledger");
  EXPECT_EQ(ledger.remaining("ana", testing::account).value().epsilon.value(), 2.0) << "reading needs no lock";
  ASSERT_TRUE(other.run("ROLLBACK"));
  EXPECT_TRUE(ledger.reserve(question, charge_of("ana", 1.0))) << "nothing is lost";
}

TEST_F(LedgerFileTest, ALedgerTakenAwayIsNoticed) {
  Ledger ledger = testing::open_or_abort(testing::small_policy(path));
  const auto question = ledger.asked("ana", "SELECT 1").value();
  fs::rename(path, folder.file("elsewhere"));
  const auto refused = ledger.reserve(question, charge_of("ana", 1.0));
  ASSERT_FALSE(refused) << "the charge would go to a file nobody reads";
  EXPECT_EQ(refused.error().what, "the ledger was moved or removed while it was in use");
  EXPECT_THAT(refusal(path), HasSubstr("its newest events are still beside it")) << "its -wal file is still there";
  fs::rename(folder.file("elsewhere"), path);
  EXPECT_TRUE(ledger.reserve(question, charge_of("ana", 1.0)));
}

TEST_F(LedgerFileTest, SumsThatAreNotThoseOfTheHistoryAreNoticed) {
  {
    Ledger ledger = testing::open_or_abort(testing::small_policy(path));
    ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.5)));
    ASSERT_TRUE(ledger.reset(""));
    ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.5)));
    ASSERT_TRUE(ask_and_reserve(ledger, charge_of("bo", 0.5, 1e-9)));
  }
  EXPECT_EQ(refusal(path), "opened");
  for (const char* tampering :
       {"DELETE FROM spending WHERE analyst = 'bo'", "UPDATE spending SET epsilon = epsilon - 1",
        "UPDATE spending SET delta = 0", "INSERT INTO spending VALUES ('x', 'ana', 1, 0)"}) {
    const std::string copy = folder.file("copy.ledger");
    fs::copy_file(path, copy, fs::copy_options::overwrite_existing);
    ASSERT_TRUE(SqliteFile::open(copy).value().run(tampering));
    EXPECT_EQ(refusal(copy), "the ledger is damaged: its sums are not those of its history") << tampering;
  }
}

TEST_F(LedgerFileTest, ADamagedLedgerIsNamed) {
  {
    Ledger ledger = testing::open_or_abort(testing::small_policy(path));
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.01)));
  }
  std::string bytes = bytes_of(path);
  ASSERT_GT(bytes.size(), 3u * 4096u);
  for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = '\x5A';
  write(path, bytes);
  EXPECT_EQ(refusal(path), "the ledger is damaged");
}

}  // namespace
}  // namespace tacit
