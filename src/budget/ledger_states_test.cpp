// `Ledger::states`: the lines of `tacit ledger show`.

#include <gtest/gtest.h>

#include <array>

#include "budget/testing.hpp"

namespace tacit {
namespace {

using testing::account;
using testing::ask_and_reserve;
using testing::charge_of;

class LedgerStates : public ::testing::Test {
 protected:
  Ledger open() { return testing::open_or_abort(policy); }

  testing::MemoryFolder folder;
  Policy policy = testing::small_policy(folder.file("shop.ledger"));
};

TEST_F(LedgerStates, ShowEveryAnalystBeforeTheFirstCharge) {
  Ledger ledger = open();
  const auto states = ledger.states().value();
  ASSERT_EQ(states.size(), 3u);
  EXPECT_EQ(states[0].analyst, "ana");
  EXPECT_EQ(states[1].analyst, "bo");
  EXPECT_EQ(states[2].analyst, "") << "all analysts together";
  for (const auto& state : states) {
    EXPECT_EQ(state.account, "");
    EXPECT_EQ(state.spent.epsilon.value(), 0.0);
  }
  EXPECT_EQ(states[0].allowed.epsilon.value(), 2.0);
  EXPECT_EQ(states[2].allowed.epsilon.value(), 3.0);
}

TEST_F(LedgerStates, ShowEveryAccount) {
  {
    Ledger ledger = open();
    ASSERT_TRUE(ask_and_reserve(ledger, charge_of("bo", 0.25, 1e-7, "rows/replace")));
    ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 1.9)));
    ASSERT_TRUE(ask_and_reserve(ledger, charge_of("bo", 0.3)));
    ASSERT_TRUE(ledger.grant("ana", Epsilon{1.0}, Delta{0.0}, ""));
  }
  policy.budget.analysts.erase("bo");
  policy.budget.analysts["cy"] = {Epsilon{0.5}, Delta{0.0}};
  Ledger ledger = open();
  const auto states = ledger.states().value();
  ASSERT_EQ(states.size(), 2u * 4u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(states[i].account, i < 4 ? "rows/replace" : account) << "in the order of their first charge";
    EXPECT_EQ(states[i].description, "one row added or removed");
    EXPECT_EQ(states[i].analyst, (std::array{"ana", "bo", "cy", ""})[i % 4]);
  }
  EXPECT_EQ(states[4].allowed.epsilon.value(), 3.0) << "with the grant";
  EXPECT_EQ(states[4].spent.epsilon.value(), 1.9);
  EXPECT_EQ(states[4].remaining.epsilon.value(), 0.8) << "3 - 1.9 - 0.3 under the global cap";
  EXPECT_EQ(states[5].allowed.epsilon.value(), 0.0) << "no longer listed";
  EXPECT_EQ(states[5].spent.epsilon.value(), 0.3) << "but what was spent still counts";
  EXPECT_EQ(states[7].spent.epsilon.value(), 2.2);
  EXPECT_EQ(states[7].remaining.epsilon.value(), 0.8);
  EXPECT_EQ(states[1].spent.delta.value(), 1e-7);
  EXPECT_EQ(states[0].spent.epsilon.value(), 0.0);
}

// b counts in a, twice; c does not.
TEST_F(LedgerStates, AddUpWhatCounts) {
  const CountedShare counted = [](const std::string& from) -> std::optional<double> {
    if (from == "a") return 1.0;
    return from == "b" ? std::optional(2.0) : std::nullopt;
  };
  Ledger ledger = open();
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.5, 0.0, "b")));
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("bo", 0.25, 1e-7, "c")));
  EXPECT_EQ(ledger.remaining("ana", "a").value().epsilon.value(), 2.0) << "by itself";
  EXPECT_EQ(ledger.remaining("ana", "a", counted).value().epsilon.value(), 1.0);
  Charge charge = charge_of("ana", 1.0, 0.0, "a");
  charge.counted = counted;
  const auto first = ask_and_reserve(ledger, charge);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->first_of_account);
  ASSERT_EQ(first->earlier.size(), 2u);
  EXPECT_EQ(first->earlier[0].account, "b");
  EXPECT_EQ(first->earlier[1].spent.epsilon.value(), 0.25);
  EXPECT_EQ(ledger.answered(*first).value().epsilon.value(), 0.0);
  const auto refused = ask_and_reserve(ledger, charge);
  ASSERT_FALSE(refused) << "0.5 counts as 1";
  EXPECT_EQ(refused.error().code, FailureCode::budget);
  charge.analyst = "bo";
  const auto other = ask_and_reserve(ledger, charge);
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->first_of_account) << "the first of this analyst";

  const auto states = ledger.states({{"today", "what a is", counted}}).value();
  ASSERT_EQ(states.size(), 6u) << "a and b in one, c by itself";
  EXPECT_EQ(states[0].account, "today");
  EXPECT_EQ(states[0].spent.epsilon.value(), 2.0);
  EXPECT_TRUE(states[0].is_counted);
  EXPECT_EQ(states[2].spent.epsilon.value(), 3.0);
  EXPECT_EQ(states[3].account, "c");
  EXPECT_FALSE(states[3].is_counted);
}

}  // namespace
}  // namespace tacit
