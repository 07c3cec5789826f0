// Many processes and threads at one ledger: together they never overspend, and they can spend all there is.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <functional>
#include <thread>

#include "budget/sqlite.hpp"
#include "budget/testing.hpp"

namespace tacit {
namespace {

using testing::ask_and_reserve;
using testing::charge_of;

constexpr int processes = 8;

// Runs `work` in that many processes at once and gives what each returned; -1 for one that died. All start together.
std::array<int, processes> in_processes(const std::function<int(int)>& work) {
  int start[2];
  int results[2];
  if (::pipe(start) != 0 || ::pipe(results) != 0) std::abort();
  std::array<pid_t, processes> children{};
  for (int i = 0; i < processes; ++i) {
    children[static_cast<std::size_t>(i)] = ::fork();
    if (children[static_cast<std::size_t>(i)] != 0) continue;
    ::close(start[1]);
    char byte = 0;
    (void)!::read(start[0], &byte, 1);  // returns when the parent closes its end
    const std::array<int, 2> result{i, work(i)};
    (void)!::write(results[1], result.data(), sizeof result);
    ::_exit(0);
  }
  ::close(start[0]);
  ::close(start[1]);
  ::close(results[1]);
  std::array<int, processes> collected;
  collected.fill(-1);
  std::array<int, 2> result{};
  while (::read(results[0], result.data(), sizeof result) == sizeof result) {
    collected[static_cast<std::size_t>(result[0])] = result[1];
  }
  ::close(results[0]);
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
  return collected;
}

int complain(const Failure& failure) {
  std::fprintf(stderr, "%s\n", to_line(failure).c_str());
  return -1000;
}

Policy policy_of_20(const std::string& path) {
  Policy policy = testing::small_policy(path);
  policy.budget.global.epsilon = Epsilon{20.0};
  policy.budget.analysts["ana"].epsilon = Epsilon{12.0};
  policy.budget.analysts["bo"].epsilon = Epsilon{12.0};
  return policy;
}

// Twelve questions of a process that waits for its engine, and one of another process.
TEST(LedgerProcesses, QuestionsUnderWayElsewhereLockNobodyOut) {
  const testing::MemoryFolder folder;
  const Policy policy = policy_of_20(folder.file("shop.ledger"));
  int reserved[2];
  int leave[2];
  ASSERT_EQ(::pipe(reserved), 0);
  ASSERT_EQ(::pipe(leave), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(leave[1]);
    Ledger ledger = testing::open_or_abort(policy);
    bool all = true;
    for (int i = 0; i < 12; ++i) all = ask_and_reserve(ledger, charge_of("ana", 0.1)).has_value() && all;
    char byte = all ? 'y' : 'n';
    (void)!::write(reserved[1], &byte, 1);
    (void)!::read(leave[0], &byte, 1);
    ::_exit(0);
  }
  ::close(leave[0]);
  char byte = 0;
  ASSERT_EQ(::read(reserved[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  Ledger ledger = testing::open_or_abort(policy);
  EXPECT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.1))) << "its process runs";
  ::close(leave[1]);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(ask_and_reserve(ledger, charge_of("ana", 0.1))) << "its process is gone";
  ::close(reserved[0]);
  ::close(reserved[1]);
}

TEST(LedgerProcesses, NeverOverspendAndFillTheCapExactly) {
  const testing::MemoryFolder folder;
  const Policy policy = policy_of_20(folder.file("shop.ledger"));
  const auto granted = in_processes([&](int i) {
    auto ledger = Ledger::open(policy, testing::identity);
    if (!ledger) return complain(ledger.error());
    int reservations = 0;
    for (int attempt = 0; attempt < 40; ++attempt) {
      const auto reservation = ask_and_reserve(*ledger, charge_of(i % 2 == 0 ? "ana" : "bo", 0.1));
      if (!reservation) {
        if (reservation.error().code != FailureCode::budget) return complain(reservation.error());
        continue;
      }
      if (const auto answered = ledger->answered(*reservation); !answered) return complain(answered.error());
      ++reservations;
    }
    return reservations;
  });
  int ana = 0;
  int bo = 0;
  for (int i = 0; i < processes; ++i) {
    ASSERT_GE(granted[static_cast<std::size_t>(i)], 0) << "a process met a failure other than an empty budget";
    (i % 2 == 0 ? ana : bo) += granted[static_cast<std::size_t>(i)];
  }
  EXPECT_EQ(ana + bo, 200) << "320 attempts of 0.1 under a global cap of 20";
  EXPECT_LE(ana, 120);
  EXPECT_LE(bo, 120);
  Ledger ledger = testing::open_or_abort(policy);
  const auto states = ledger.states().value();
  EXPECT_EQ(states.back().spent.epsilon.value(), 20.0);
  EXPECT_EQ(states.at(0).spent.epsilon.value(), ana / 10.0);
}

TEST(LedgerProcesses, DifferentPricesNeverOverspend) {
  const testing::MemoryFolder folder;
  const Policy policy = policy_of_20(folder.file("shop.ledger"));
  const auto granted = in_processes([&](int i) {
    auto ledger = Ledger::open(policy, testing::identity);
    if (!ledger) return complain(ledger.error());
    int thousandths = 0;
    for (int price = 997 - i; price > 0; price = price * 3 / 4) {
      while (ask_and_reserve(*ledger, charge_of(i % 2 == 0 ? "ana" : "bo", price / 1000.0))) thousandths += price;
    }
    return thousandths;
  });
  int sum = 0;
  for (const int thousandths : granted) {
    ASSERT_GE(thousandths, 0);
    sum += thousandths;
  }
  EXPECT_EQ(sum, 20'000) << "each went down to a price of 0.001, so nothing is left";
}

TEST(LedgerProcesses, OneOfManyCreatesTheLedger) {
  for (int round = 0; round < 20; ++round) {
    const testing::MemoryFolder folder;
    const Policy policy = policy_of_20(folder.file("shop.ledger"));
    const auto opened = in_processes([&](int) {
      auto ledger = Ledger::open(policy, testing::identity);
      if (!ledger) return complain(ledger.error());
      const auto reservation = ask_and_reserve(*ledger, charge_of("ana", 0.1));
      return reservation ? 1 : complain(reservation.error());
    });
    for (const int ok : opened) ASSERT_EQ(ok, 1);
    EXPECT_EQ(testing::open_or_abort(policy).states().value().back().spent.epsilon.value(), 0.8);
  }
}

TEST(LedgerThreads, OneLedgerOrOneEach) {
  for (const bool shared : {true, false}) {
    const testing::MemoryFolder folder;
    const Policy policy = policy_of_20(folder.file("shop.ledger"));
    Ledger common = testing::open_or_abort(policy);
    std::atomic<int> granted = 0;
    std::atomic<int> strange = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < processes; ++i) {
      threads.emplace_back([&, i] {
        std::optional<Ledger> own;
        if (!shared) own = testing::open_or_abort(policy);
        Ledger& ledger = shared ? common : *own;
        for (int attempt = 0; attempt < 40; ++attempt) {
          const auto reservation = ask_and_reserve(ledger, charge_of(i % 2 == 0 ? "ana" : "bo", 0.1));
          if (reservation) ++granted;
          if (!reservation && reservation.error().code != FailureCode::budget) ++strange;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(granted, 200) << shared;
    EXPECT_EQ(strange, 0) << shared;
  }
}

}  // namespace
}  // namespace tacit
