#include "budget/ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/check.hpp"
#include "base/value.hpp"
#include "budget/sqlite.hpp"
#include "budget/testing.hpp"

namespace tacit {
namespace {

using testing::account;
using testing::ask_and_reserve;
using testing::charge_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LedgerTest : public ::testing::Test {
 protected:
  Ledger open() { return testing::open_or_abort(policy); }
  static std::vector<std::string> kinds(Ledger& ledger) {
    std::vector<std::string> kinds;
    const auto events = ledger.history(1000).value();
    for (const auto& event : events) kinds.push_back(event.kind);
    return kinds;
  }
  static double left(Ledger& ledger, const std::string& analyst = "ana") {
    return ledger.remaining(analyst, account).value().epsilon.value();
  }

  testing::MemoryFolder folder;
  Policy policy = testing::small_policy(folder.file("shop.ledger"));
};

TEST_F(LedgerTest, AQuestionIsAskedReservedAndAnswered) {
  Ledger ledger = open();
  const auto question = ledger.asked("ana", "SELECT count(*)\nFROM visit").value();
  const auto reservation = ledger.reserve(question, charge_of("ana", 0.5, 1e-7));
  ASSERT_TRUE(reservation) << to_line(reservation.error());
  const auto remaining = ledger.answered(*reservation);
  ASSERT_TRUE(remaining) << to_line(remaining.error());
  EXPECT_EQ(remaining->epsilon.value(), 1.5);
  EXPECT_EQ(remaining->delta.value(), 4e-7);

  const auto events = ledger.history(10).value();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, "asked");
  EXPECT_EQ(events[0].detail, "SELECT count(*) FROM visit");
  EXPECT_EQ(events[1].kind, "reserved");
  EXPECT_EQ(events[1].account, account);
  EXPECT_EQ(events[1].epsilon, 0.5);
  EXPECT_EQ(events[1].delta, 1e-7);
  EXPECT_EQ(events[2].kind, "answered");
  EXPECT_EQ(events[2].epsilon, 0.0) << "only the reservation carries the charge";
  for (const auto& event : events) {
    EXPECT_EQ(event.question, question);
    EXPECT_EQ(event.analyst, "ana");
    EXPECT_EQ(event.at.size(), 20u) << event.at;
    EXPECT_EQ(event.at.back(), 'Z') << event.at;
    EXPECT_TRUE(parse_timestamp(event.at.substr(0, 19))) << event.at;
  }
}

TEST_F(LedgerTest, SpendingSurvivesReopening) {
  { ASSERT_TRUE(ask_and_reserve(*std::make_unique<Ledger>(open()), charge_of("ana", 0.1))); }
  Ledger ledger = open();
  EXPECT_EQ(left(ledger), 1.9);
  EXPECT_EQ(left(ledger, "bo"), 2.0);
}

TEST_F(LedgerTest, WhatHappensAfterwardsRefundsNothing) {
  Ledger ledger = open();
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.5)));  // dropped, as in a crash
  const auto failing = ask_and_reserve(ledger, charge_of("ana", 0.5)).value();
  ASSERT_TRUE(ledger.failed(failing, {FailureCode::engine, "the engine timed out", "here", "wait"}));
  EXPECT_EQ(left(ledger), 1.0);
  const auto last = ledger.history(1).value().at(0);
  EXPECT_EQ(last.kind, "failed");
  EXPECT_EQ(last.detail, "the engine timed out") << "the sentence only";
}

TEST_F(LedgerTest, ARefusedQuestionCostsNothing) {
  Ledger ledger = open();
  const auto question = ledger.asked("ana", "SELECT *").value();
  ASSERT_TRUE(ledger.refused(question, {FailureCode::refused, "SELECT * is not private", "position 8", "aggregate"}));
  EXPECT_EQ(left(ledger), 2.0);
  const auto last = ledger.history(1).value().at(0);
  EXPECT_EQ(last.kind, "refused");
  EXPECT_EQ(last.question, question);
  EXPECT_EQ(last.analyst, "ana");
  EXPECT_EQ(last.detail, "SELECT * is not private");
}

TEST_F(LedgerTest, DecimalsFillTheAllowanceExactly) {
  Ledger ledger = open();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.1))) << i;
  EXPECT_EQ(left(ledger), 0.0);
  EXPECT_EQ(ask_and_reserve(ledger, charge_of("ana", 1e-9)).error().code, FailureCode::budget);
}

TEST_F(LedgerTest, TheAnalystsOwnAllowanceStops) {
  Ledger ledger = open();
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 1.5)));
  const auto refused = ask_and_reserve(ledger, charge_of("ana", 0.75));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, FailureCode::budget);
  EXPECT_EQ(refused.error().what,
            "the query costs epsilon 0.75, but only 0.5 of analyst `ana`'s own allowance of 2 is left");
  EXPECT_EQ(refused.error().where, "account rows/add-remove");
  EXPECT_THAT(refused.error().hint, HasSubstr("ask with a smaller epsilon"));
  EXPECT_THAT(refused.error().hint, HasSubstr("tacit ledger grant"));
  EXPECT_EQ(left(ledger), 0.5) << "a refused reservation changes nothing";
  EXPECT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.5)));
}

TEST_F(LedgerTest, TheGlobalCapStops) {
  Ledger ledger = open();
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 2.0)));
  EXPECT_EQ(left(ledger, "bo"), 1.0) << "the smaller of the own and the global rest";
  const auto refused = ask_and_reserve(ledger, charge_of("bo", 1.5));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, FailureCode::budget);
  EXPECT_EQ(refused.error().what,
            "the query costs epsilon 1.5, but only 1 of the global cap of 3 over all analysts is left");
  EXPECT_THAT(refused.error().hint, HasSubstr("a grant does not raise it"));
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("bo", 1.0)));
  const auto both = ask_and_reserve(ledger, charge_of("ana", 1.0));
  EXPECT_EQ(
      both.error().what,
      "the query costs epsilon 1, but only 0 of analyst `ana`'s own allowance of 2 and 0 of the global cap of 3 over "
      "all analysts is left");
  EXPECT_THAT(both.error().hint, ::testing::StartsWith("ask the owner")) << "no smaller epsilon would do";
}

TEST_F(LedgerTest, DeltaIsCheckedLikeEpsilon) {
  Ledger ledger = open();
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.1, 4e-7)));
  const auto own = ask_and_reserve(ledger, charge_of("ana", 0.1, 2e-7));
  ASSERT_FALSE(own);
  EXPECT_EQ(own.error().code, FailureCode::budget);
  EXPECT_THAT(own.error().what,
              HasSubstr("costs delta 2e-07, but only 1e-07 of analyst `ana`'s own allowance of 5e-07"));
  const auto global = ask_and_reserve(ledger, charge_of("bo", 0.1, 3e-7));
  ASSERT_FALSE(global);
  EXPECT_THAT(global.error().what, HasSubstr("2e-07 of the global cap of 6e-07"));
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.1, 1e-7)));
  EXPECT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.1, 0.0))) << "a query without delta needs none";
}

TEST_F(LedgerTest, AChargeWithoutDeltaIsFineWhenDeltaIsOverdrawn) {
  {
    Ledger ledger = open();
    ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.1, 5e-7)));
  }
  policy.budget.analysts["ana"].delta = Delta{1e-7};
  Ledger ledger = open();
  EXPECT_EQ(ledger.remaining("ana", account).value().delta.value(), 0.0);
  EXPECT_TRUE(ask_and_reserve(ledger, charge_of("ana", 0.1)));
}

TEST_F(LedgerTest, EachNeighbourRelationIsAnAccountOfItsOwn) {
  Ledger ledger = open();
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 2.0)));
  EXPECT_TRUE(ask_and_reserve(ledger, charge_of("ana", 2.0, 0.0, "rows/replace")));
  EXPECT_EQ(left(ledger), 0.0);
  EXPECT_EQ(ledger.remaining("ana", "users/visit.patient").value().epsilon.value(), 2.0);
}

TEST_F(LedgerTest, AnUnlistedAnalystIsRefusedWithTheNearestName) {
  policy.budget.analysts["beatrice"] = {Epsilon{1.0}, Delta{0.0}};
  Ledger ledger = open();
  const auto question = ledger.asked("ana", "SELECT 1").value();
  const std::vector<Failure> failures = {
      ledger.asked("beatrixe", "SELECT 1").error(), ledger.reserve(question, charge_of("beatrixe", 0.1)).error(),
      ledger.remaining("beatrixe", account).error(), ledger.grant("beatrixe", Epsilon{1}, Delta{0}, "").error()};
  for (const Failure& failure : failures) {
    EXPECT_EQ(failure.code, FailureCode::usage);
    EXPECT_THAT(failure.what, HasSubstr("no analyst `beatrixe` (did you mean `beatrice`?)"));
  }
  EXPECT_THAT(kinds(ledger), ElementsAre("asked"));
}

TEST_F(LedgerTest, PricesThatMakeNoSenseAreUsageErrors) {
  Ledger ledger = open();
  const auto question = ledger.asked("ana", "SELECT 1").value();
  for (const double epsilon :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(ledger.reserve(question, charge_of("ana", epsilon)).error().code, FailureCode::usage) << epsilon;
  }
  EXPECT_EQ(ledger.reserve(question, charge_of("ana", 1.0, -1e-9)).error().code, FailureCode::usage);
  EXPECT_EQ(ledger.grant("ana", Epsilon{-1}, Delta{0}, "").error().code, FailureCode::usage);
  EXPECT_THAT(kinds(ledger), ElementsAre("asked"));
  EXPECT_TRUE(ledger.reserve(question, charge_of("ana", 1.0))) << "the question is still open";
}

TEST_F(LedgerTest, AGrantRaisesTheOwnAllowanceAndNotTheGlobalCap) {
  Ledger ledger = open();
  ASSERT_TRUE(ledger.grant("ana", Epsilon{0.5}, Delta{0.0}, "for the report"));
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 2.25)));
  EXPECT_EQ(left(ledger), 0.25);
  EXPECT_EQ(left(ledger, "bo"), 0.75);
  ASSERT_TRUE(ledger.grant("ana", Epsilon{9e9}, Delta{0.0}, ""));
  ASSERT_TRUE(ledger.grant("ana", Epsilon{9e9}, Delta{0.0}, "more than a sum can hold"));
  EXPECT_EQ(left(ledger), 0.75) << "the global rest";
  const auto events = ledger.history(100).value();
  EXPECT_EQ(events.at(0).kind, "grant");
  EXPECT_EQ(events.at(0).question, 0);
  EXPECT_EQ(events.at(0).epsilon, 0.5);
  EXPECT_EQ(events.at(0).detail, "for the report");
}

TEST_F(LedgerTest, AResetStartsAnewAndKeepsTheHistory) {
  Ledger ledger = open();
  ASSERT_TRUE(ledger.grant("ana", Epsilon{0.5}, Delta{0.0}, ""));
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 2.5, 5e-7)));
  ASSERT_TRUE(ledger.reset("new data"));
  EXPECT_EQ(left(ledger), 2.0) << "earlier grants end too";
  EXPECT_THAT(kinds(ledger), ElementsAre("grant", "asked", "reserved", "reset"));
  EXPECT_EQ(ledger.history(1).value().at(0).detail, "new data");
}

TEST_F(LedgerTest, AnAnswerAfterAResetIsRefused) {
  Ledger ledger = open();
  const auto before = ask_and_reserve(ledger, charge_of("ana", 1.0)).value();
  const auto question = ledger.asked("ana", "SELECT 1").value();
  ASSERT_TRUE(ledger.reset(""));
  const auto late = ledger.answered(before);
  ASSERT_FALSE(late) << "its charge no longer counts";
  EXPECT_EQ(late.error().code, FailureCode::ledger);
  EXPECT_TRUE(ledger.failed(before, late.error()));
  const auto after = ledger.reserve(question, charge_of("ana", 1.0));
  ASSERT_TRUE(after) << "asked before, charged after";
  EXPECT_TRUE(ledger.answered(*after));
}

TEST_F(LedgerTest, TenFailuresLockOut) {
  policy.budget.global.epsilon = Epsilon{40.0};
  policy.budget.analysts["ana"].epsilon = Epsilon{20.0};
  Ledger ledger = open();
  const auto fail_once = [&](const std::string& analyst) {
    const auto reservation = ask_and_reserve(ledger, charge_of(analyst, 0.01));
    if (!reservation) return false;
    return ledger.failed(*reservation, {FailureCode::engine, "the engine failed", "", ""}).has_value();
  };
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(fail_once("ana")) << i;
  const auto locked = ask_and_reserve(ledger, charge_of("ana", 0.01));
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().code, FailureCode::budget);
  EXPECT_THAT(locked.error().what, HasSubstr("`ana` is locked out"));
  EXPECT_THAT(locked.error().hint, HasSubstr("tacit ledger grant"));
  EXPECT_TRUE(fail_once("bo")) << "others are not locked";
  ASSERT_TRUE(ledger.grant("bo", Epsilon{0}, Delta{0}, ""));
  EXPECT_FALSE(fail_once("ana")) << "a grant to another does not unlock";

  ASSERT_TRUE(ledger.grant("ana", Epsilon{0}, Delta{0}, "talked to her"));
  EXPECT_EQ(left(ledger), 19.9) << "unlocked, and nothing added";
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(fail_once("ana")) << i;
  EXPECT_FALSE(fail_once("ana"));
  ASSERT_TRUE(ledger.reset(""));
  EXPECT_TRUE(fail_once("ana"));
}

TEST_F(LedgerTest, AReservationIsSettledOnce) {
  Ledger ledger = open();
  const auto reservation = ask_and_reserve(ledger, charge_of("ana", 0.1)).value();
  ASSERT_TRUE(ledger.answered(reservation));
  EXPECT_EQ(ledger.answered(reservation).error().code, FailureCode::ledger) << "one charge buys one answer";
  EXPECT_EQ(ledger.failed(reservation, {}).error().code, FailureCode::ledger);
  EXPECT_EQ(ledger.reserve(reservation.question, charge_of("ana", 0.1)).error().code, FailureCode::ledger);
  EXPECT_EQ(ledger.refused(reservation.question, {}).error().code, FailureCode::ledger);
  EXPECT_THAT(kinds(ledger), ElementsAre("asked", "reserved", "answered"));
}

TEST_F(LedgerTest, NothingIsAnsweredWithoutItsCharge) {
  Ledger ledger = open();
  const auto question = ledger.asked("ana", "SELECT 1").value();
  EXPECT_FALSE(ledger.answered({question, charge_of("ana", 0.1)})) << "never reserved";
  EXPECT_FALSE(ledger.reserve(question + 1, charge_of("ana", 0.1))) << "never asked";
  EXPECT_FALSE(ledger.refused(question + 1, {}));
  auto reservation = ledger.reserve(question, charge_of("ana", 0.1)).value();
  reservation.charge.epsilon = Epsilon{0.2};
  EXPECT_FALSE(ledger.answered(reservation)) << "reserved for less";
  reservation.charge.epsilon = Epsilon{0.1};
  EXPECT_TRUE(ledger.answered(reservation));
  const auto refused = ledger.asked("ana", "SELECT 1").value();
  ASSERT_TRUE(ledger.refused(refused, {}));
  EXPECT_FALSE(ledger.reserve(refused, charge_of("ana", 0.1))) << "refused before";
}

TEST_F(LedgerTest, OurOwnMistakesAreBugs) {
  Ledger ledger = open();
  const auto question = ledger.asked("ana", "SELECT 1").value();
  EXPECT_THROW((void)ledger.reserve(question, charge_of("bo", 0.1)), InvariantBroken) << "asked by another";
  EXPECT_THROW((void)ledger.reserve(question, charge_of("ana", 0.1, 0.0, "")), InvariantBroken);
  EXPECT_TRUE(ledger.reserve(question, charge_of("ana", 0.1))) << "the ledger works on";
}

TEST_F(LedgerTest, TheHistoryIsAppendOnly) {
  Ledger ledger = open();
  ASSERT_TRUE(ledger.answered(ask_and_reserve(ledger, charge_of("ana", 0.1)).value()));
  auto file = SqliteFile::open(policy.ledger_path).value();
  for (const char* tampering :
       {"UPDATE events SET epsilon = 1 WHERE kind = 'reserved'", "DELETE FROM events",
        "INSERT OR REPLACE INTO events SELECT id, at, kind, question, analyst, account, 1, 0, detail FROM events WHERE "
        "id = 2",
        "INSERT INTO events SELECT 9, at, kind, 9, analyst, account, epsilon, delta, detail FROM events WHERE id = 1",
        "INSERT OR REPLACE INTO events SELECT 4, at, kind, question, analyst, account, 1, 0, '' FROM events WHERE id = "
        "2",
        "INSERT OR REPLACE INTO events SELECT 4, at, 'failed', question, analyst, account, 0, 0, '' FROM events WHERE "
        "id = 3",
        "UPDATE meta SET value = 'x'", "DELETE FROM meta",
        "INSERT OR REPLACE INTO meta VALUES ('engine_identity', 'x')"}) {
    EXPECT_FALSE(file.run(tampering)) << tampering;
  }
  EXPECT_THAT(kinds(ledger), ElementsAre("asked", "reserved", "answered"));
  EXPECT_EQ(left(ledger), 1.9);
}

TEST_F(LedgerTest, TheHistoryIsReadFromItsEnd) {
  Ledger ledger = open();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(ledger.asked("ana", "SELECT " + std::to_string(i)));
  const auto events = ledger.history(2).value();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].detail, "SELECT 3");
  EXPECT_EQ(events[1].detail, "SELECT 4");
  EXPECT_EQ(ledger.history(std::numeric_limits<std::size_t>::max()).value().size(), 5u);
  EXPECT_TRUE(ledger.history(0).value().empty());
}

TEST_F(LedgerTest, HostileTextIsRecordedSafely) {
  Ledger ledger = open();
  ASSERT_TRUE(ledger.asked("ana", std::string("'; DROP TABLE events; --\0\x1B\xFF", 28)));
  ASSERT_TRUE(ledger.asked("ana", std::string(10'000'000, 'x')));
  const auto events = ledger.history(2).value();
  EXPECT_EQ(events.at(0).detail.substr(0, 24), "'; DROP TABLE events; --");
  EXPECT_EQ(events.at(0).detail.find('\x1B'), std::string::npos);
  EXPECT_EQ(events.at(1).detail.size(), 4000u);
}

TEST_F(LedgerTest, AReducedPolicyLeavesNothingAndNeverLessThanNothing) {
  {
    Ledger ledger = open();
    ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 1.5)));
  }
  policy.budget.analysts["ana"].epsilon = Epsilon{1.0};
  Ledger ledger = open();
  EXPECT_EQ(left(ledger), 0.0);
  EXPECT_FALSE(ask_and_reserve(ledger, charge_of("ana", 0.1)));
  EXPECT_EQ(left(ledger, "bo"), 1.5);
}

TEST_F(LedgerTest, HugeCapsDoNotOverflow) {
  policy.budget.global.epsilon = Epsilon{1e300};
  policy.budget.analysts["ana"].epsilon = Epsilon{1e300};
  policy.budget.analysts["bo"].epsilon = Epsilon{std::numeric_limits<double>::infinity()};
  Ledger ledger = open();
  ASSERT_TRUE(ask_and_reserve(ledger, charge_of("ana", 8e9)));
  EXPECT_FALSE(ask_and_reserve(ledger, charge_of("bo", 8e9))) << "the sum of both would overflow";
  EXPECT_TRUE(ask_and_reserve(ledger, charge_of("bo", 1e9)));
  EXPECT_EQ(left(ledger), 0.0);
  EXPECT_EQ(ledger.states().value().back().spent.epsilon.value(), 9e9);
}

TEST_F(LedgerTest, RemembersInWhichStateOfTheDataAKeyWasFoundTrue) {
  Ledger ledger = open();
  const KeyOfState person{"main.person", "pid", "1 2 3"};
  const KeyOfState visit{"main.visit", "vid", "4 5 6"};
  EXPECT_EQ(ledger.key_verified_at(person).value(), "") << "nothing was ever recorded";
  ASSERT_TRUE(ledger.record_keys({person, visit}));
  Ledger another = open();
  EXPECT_THAT(another.key_verified_at(person).value(), HasSubstr("T"));
  EXPECT_EQ(another.key_verified_at({"main.person", "pid", "1 2 4"}).value(), "") << "another state";
  EXPECT_EQ(another.key_verified_at({"main.person", "other", "1 2 3"}).value(), "") << "another key";
  EXPECT_EQ(another.key_verified_at({"main.person", "pid", ""}).value(), "") << "an unknown state";

  ASSERT_TRUE(ledger.record_keys({{"main.person", "pid", "7"}}));
  EXPECT_EQ(another.key_verified_at(person).value(), "") << "the newest check counts";
  ASSERT_TRUE(ledger.record_keys({{"main.person", "pid", ""}}));
  EXPECT_EQ(another.key_verified_at({"main.person", "pid", "7"}).value(), "") << "which found the key false";
  EXPECT_NE(another.key_verified_at(visit).value(), "");
}

}  // namespace
}  // namespace tacit
