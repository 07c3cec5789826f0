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

  testing::TemporaryFolder folder;
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

}  // namespace
}  // namespace tacit
