// A process that uses the ledger is killed, 1,000 times (TACIT_KILL_COUNT): after each step it reported, and at random
// moments inside steps. Whatever it had reported is in the ledger; no answer is there without its charge; the file is
// whole.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <set>
#include <string>

#include "budget/ledger.hpp"
#include "budget/sqlite.hpp"
#include "budget/testing.hpp"
#include "support/environment.hpp"

namespace tacit {
namespace {

constexpr int lives_of_a_ledger = 25;  // then a new one, so that creation is hit too
constexpr double price = 0.001;

// One byte for each step that returned; the child goes on until it is killed.
enum Step : char { opened = 'o', asked = 'q', reserved = 'r', engine_ran = 'e', answered = 'a', broken = '!' };

[[noreturn]] void live(const Policy& policy, int channel) {
  const auto report = [&](Step step) {
    const char byte = step;
    if (::write(channel, &byte, 1) != 1) ::_exit(1);
  };
  auto ledger = Ledger::open(policy, testing::identity);
  if (!ledger) {
    report(broken);
    ::_exit(1);
  }
  report(opened);
  for (;;) {
    const auto question = ledger->asked("ana", "SELECT count(*) FROM visit");
    report(question ? asked : broken);
    const auto reservation = ledger->reserve(question.value(), testing::charge_of("ana", price));
    report(reservation ? reserved : broken);
    report(engine_ran);
    report(ledger->answered(reservation.value()) ? answered : broken);
  }
}

struct Victim {
  pid_t process = 0;
  int channel = -1;

  explicit Victim(const Policy& policy) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    process = ::fork();
    if (process == 0) {
      ::close(ends[0]);
      live(policy, ends[1]);
    }
    ::close(ends[1]);
    channel = ends[0];
  }
  bool read_into(std::string& steps) const {
    char byte = 0;
    if (::read(channel, &byte, 1) != 1) return false;
    steps += byte;
    return true;
  }
  // Kills after `reported` steps were seen and `delay` more has passed. All steps that had returned, and perhaps one
  // that had returned but was not reported, are in the ledger.
  std::string kill_after(std::size_t reported, useconds_t delay) const {
    std::string steps;
    while (steps.size() < reported && read_into(steps)) continue;
    if (delay > 0) ::usleep(delay);
    ::kill(process, SIGKILL);
    while (read_into(steps)) continue;
    ::close(channel);
    int status = 0;
    ::waitpid(process, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the child ended by itself: " << steps;
    return steps;
  }
};

std::int64_t count_of(const std::string& steps, Step step) { return std::count(steps.begin(), steps.end(), step); }

struct Totals {
  std::int64_t asked = 0;
  std::int64_t reserved = 0;
  std::int64_t answered = 0;
};

Totals in_file(const std::string& path) {
  auto file = SqliteFile::open(path).value();
  EXPECT_EQ(file.text("PRAGMA integrity_check").value(), "ok");
  EXPECT_EQ(file.integer("SELECT count(*) FROM events e WHERE kind = 'answered' AND NOT EXISTS (SELECT 1 FROM events r "
                         "WHERE r.kind = 'reserved' AND r.question = e.question AND r.id < e.id)")
                .value(),
            0)
      << "an answer without its charge";
  const auto count = [&](const char* kind) {
    return file.integer("SELECT count(*) FROM events WHERE kind = ?1", {std::string_view(kind)}).value();
  };
  return {count("asked"), count("reserved"), count("answered")};
}

TEST(LedgerCrash, AKilledProcessNeverUndercharges) {
  const int kills = testing::count_from_environment("TACIT_KILL_COUNT", 1000);
  std::mt19937 random(20261115);  // the moments; when they hit is the machine's
  std::set<char> last_steps;
  Totals before;
  std::unique_ptr<testing::TemporaryFolder> folder;
  for (int kill = 0; kill < kills && !HasFailure(); ++kill) {
    if (kill % lives_of_a_ledger == 0) {
      folder = std::make_unique<testing::TemporaryFolder>();
      before = {};
    }
    Policy policy = testing::small_policy(folder->file("shop.ledger"));
    policy.budget.global.epsilon = Epsilon{1e6};
    policy.budget.analysts["ana"].epsilon = Epsilon{1e6};

    const bool at_a_step = kill % 2 == 0;
    const std::size_t reported = at_a_step ? static_cast<std::size_t>(kill / 2 % 10) : random() % 6;
    const useconds_t delay = at_a_step ? 0 : static_cast<useconds_t>(random() % 2000);
    const std::string steps = Victim(policy).kill_after(reported, delay);
    SCOPED_TRACE("kill " + std::to_string(kill) + " after steps '" + steps + "'");
    EXPECT_EQ(count_of(steps, broken), 0);
    last_steps.insert(steps.empty() ? '-' : steps.back());

    // Opening must work whatever was left behind, a half-created file too.
    auto ledger = Ledger::open(policy, testing::identity);
    ASSERT_TRUE(ledger) << to_line(ledger.error());
    const double spent = ledger->states().value().back().spent.epsilon.value();
    // What was cut off counts towards the lock-out; the owner unlocks.
    ASSERT_TRUE(ledger->grant("ana", Epsilon{0.0}, Delta{0.0}, "killed"));
    ledger = fail({});
    const Totals after = in_file(policy.ledger_path);

    const auto at_least = [&](std::int64_t now, std::int64_t then, Step step, const char* what) {
      EXPECT_GE(now - then, count_of(steps, step)) << what << " was reported and is lost";
      EXPECT_LE(now - then, count_of(steps, step) + 1) << what;
    };
    at_least(after.asked, before.asked, asked, "a question");
    at_least(after.reserved, before.reserved, reserved, "a charge");
    at_least(after.answered, before.answered, answered, "an answer");
    EXPECT_NEAR(spent, static_cast<double>(after.reserved) * price, 1e-9) << "every charge counts";
    before = after;
  }
  EXPECT_EQ(last_steps, (std::set<char>{'-', opened, asked, reserved, engine_ran, answered})) << "every moment was hit";
}

// Killed between charge and answer: each counts like a failure, as long as nobody settles it.
TEST(LedgerCrash, KilledQuestionsLockOut) {
  const testing::TemporaryFolder folder;
  const Policy policy = testing::small_policy(folder.file("shop.ledger"));
  constexpr std::size_t until_reserved = 3;  // opened, asked, reserved
  Ledger ledger = testing::open_or_abort(policy);
  for (int kill = 0; kill < 10; ++kill) {
    EXPECT_TRUE(testing::ask_and_reserve(ledger, testing::charge_of("ana", price))) << "after " << kill << " kills";
    std::string steps;
    for (;;) {  // a victim that had gone on to its answer when it was killed left nothing behind
      const auto left_behind = [&] {
        auto file = SqliteFile::open(policy.ledger_path).value();
        return file.integer("SELECT count(*) FROM unsettled").value();
      };
      const auto before = left_behind();
      steps = Victim(policy).kill_after(until_reserved, 0);
      if (left_behind() > before) break;
    }
  }
  const auto locked = testing::ask_and_reserve(ledger, testing::charge_of("ana", price));
  ASSERT_FALSE(locked) << "ten of a process that is gone; those of this one are under way";
  EXPECT_EQ(locked.error().code, FailureCode::budget);
  EXPECT_NE(locked.error().what.find("cut off"), std::string::npos) << locked.error().what;
  EXPECT_TRUE(testing::ask_and_reserve(ledger, testing::charge_of("bo", price))) << "others are not locked";
  ASSERT_TRUE(ledger.grant("ana", Epsilon{0.0}, Delta{0.0}, ""));
  EXPECT_TRUE(testing::ask_and_reserve(ledger, testing::charge_of("ana", price)));
}

}  // namespace
}  // namespace tacit
