// Random sequences of operations against the plainest model of a ledger: a few sums in memory.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

#include "budget/testing.hpp"

namespace tacit {
namespace {

constexpr const char* analysts[] = {"ana", "bo"};
constexpr const char* accounts[] = {"rows/add-remove", "rows/replace"};

struct Operation {
  int kind = 0;  // 0..11 a question, 12 grant, 13 reset, 14 reopen, 15 reopen with another policy
  int who = 0;
  int where = 0;
  int outcome = 0;         // 0 answered, 1 and 2 failed, 3 dropped
  int thousandths = 0;     // epsilon
  int ten_billionths = 0;  // delta
};

std::ostream& operator<<(std::ostream& out, const Operation& o) {
  return out << "{kind " << o.kind << ", who " << o.who << ", where " << o.where << ", outcome " << o.outcome
             << ", epsilon " << o.thousandths << "e-3, delta " << o.ten_billionths << "e-10}";
}

struct Money {
  std::int64_t thousandths = 0;
  std::int64_t ten_billionths = 0;
};

struct Model {
  Money global{3000, 6000};
  std::map<std::string, Money> own{{"ana", {2000, 5000}}, {"bo", {2000, 5000}}};
  std::map<std::string, Money> granted;
  std::map<std::string, int> failures;
  std::map<std::string, std::map<std::string, Money>> spent;  // by account, by analyst

  Money left(const std::string& analyst, const std::string& account) {
    Money all;
    for (const auto& [who, money] : spent[account]) {
      all.thousandths += money.thousandths;
      all.ten_billionths += money.ten_billionths;
    }
    const Money mine = spent[account][analyst];
    const auto rest = [&](std::int64_t Money::*field) {
      const auto own_rest = own[analyst].*field + granted[analyst].*field - mine.*field;
      return std::max<std::int64_t>(0, std::min(own_rest, global.*field - all.*field));
    };
    return {rest(&Money::thousandths), rest(&Money::ten_billionths)};
  }
  Policy policy(const std::string& path) const {
    Policy policy;
    policy.ledger_path = path;
    const auto allowance = [](const Money& money) {
      return Allowance{Epsilon{static_cast<double>(money.thousandths) / 1e3},
                       Delta{static_cast<double>(money.ten_billionths) / 1e10}};
    };
    policy.budget.global = allowance(global);
    for (const auto& [name, money] : own) policy.budget.analysts[name] = allowance(money);
    return policy;
  }
};

rc::Gen<Operation> any_operation() {
  return rc::gen::build<Operation>(
      rc::gen::set(&Operation::kind, rc::gen::inRange(0, 16)), rc::gen::set(&Operation::who, rc::gen::inRange(0, 2)),
      rc::gen::set(&Operation::where, rc::gen::inRange(0, 2)),
      rc::gen::set(&Operation::outcome, rc::gen::inRange(0, 4)),
      rc::gen::set(&Operation::thousandths, rc::gen::oneOf(rc::gen::inRange(1, 5), rc::gen::inRange(1, 900))),
      rc::gen::set(&Operation::ten_billionths, rc::gen::oneOf(rc::gen::just(0), rc::gen::inRange(0, 3000))));
}

class Play {
 public:
  Play() : ledger_(testing::open_or_abort(model_.policy(path_))) {}

  void apply(const Operation& o) {
    const std::string analyst = analysts[o.who];
    switch (o.kind) {
      case 12: grant(analyst, o); break;
      case 13: reset(); break;
      case 14: reopen(); break;
      case 15:
        model_.own[analyst] = {o.thousandths * 3, o.ten_billionths};
        model_.global.thousandths = 2000 + o.thousandths;
        reopen();
        break;
      default: question(analyst, accounts[o.where], o);
    }
    for (const char* who : analysts) {
      for (const char* where : accounts) {
        const auto remaining = ledger_.remaining(who, where);
        RC_ASSERT(remaining.has_value());
        const Money expected = model_.left(who, where);
        RC_ASSERT(std::llround(remaining->epsilon.value() * 1e9) == expected.thousandths * 1'000'000);
        RC_ASSERT(std::llround(remaining->delta.value() * 1e18) == expected.ten_billionths * 100'000'000);
      }
    }
  }

 private:
  void question(const std::string& analyst, const std::string& account, const Operation& o) {
    const Money left = model_.left(analyst, account);
    const bool locked = model_.failures[analyst] >= 10;
    const bool affordable =
        o.thousandths <= left.thousandths && (o.ten_billionths == 0 || o.ten_billionths <= left.ten_billionths);
    const auto reservation = testing::ask_and_reserve(
        ledger_, testing::charge_of(analyst, o.thousandths / 1e3, o.ten_billionths / 1e10, account));
    RC_ASSERT(reservation.has_value() == (affordable && !locked));
    if (!reservation) {
      RC_ASSERT(reservation.error().code == FailureCode::budget);
      RC_ASSERT((reservation.error().what.find("locked out") != std::string::npos) == locked);
      return;
    }
    model_.spent[account][analyst].thousandths += o.thousandths;
    model_.spent[account][analyst].ten_billionths += o.ten_billionths;
    if (o.outcome == 0) RC_ASSERT(ledger_.answered(*reservation).has_value());
    if (o.outcome == 1 || o.outcome == 2) {
      RC_ASSERT(ledger_.failed(*reservation, {FailureCode::engine, "no", "", ""}).has_value());
      ++model_.failures[analyst];
    }
  }
  void grant(const std::string& analyst, const Operation& o) {
    RC_ASSERT(ledger_.grant(analyst, Epsilon{o.thousandths / 1e3}, Delta{o.ten_billionths / 1e10}, "").has_value());
    model_.granted[analyst].thousandths += o.thousandths;
    model_.granted[analyst].ten_billionths += o.ten_billionths;
    model_.failures[analyst] = 0;
  }
  void reset() {
    RC_ASSERT(ledger_.reset("").has_value());
    model_.granted.clear();
    model_.failures.clear();
    model_.spent.clear();
  }
  void reopen() { ledger_ = testing::open_or_abort(model_.policy(path_)); }

  testing::MemoryFolder folder_;
  const std::string path_ = folder_.file("shop.ledger");
  Model model_;
  Ledger ledger_;
};

RC_GTEST_PROP(LedgerModel, EverySequenceOfOperationsAgreesWithTheSums, ()) {
  const auto operations = *rc::gen::scale(0.7, rc::gen::container<std::vector<Operation>>(any_operation()));
  Play play;
  for (const Operation& operation : operations) play.apply(operation);
}

}  // namespace
}  // namespace tacit
