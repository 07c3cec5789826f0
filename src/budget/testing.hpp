#pragma once

#include <gtest/gtest.h>

#include <string>

#include "budget/ledger.hpp"
#include "support/temporary_folder.hpp"

// What the tests of the ledger share. Not part of the product. Their ledgers are in memory: that writes reach the disk
// before a step returns is tested by itself (ledger_faults_test.cpp).
namespace tacit::testing {

inline constexpr const char* identity = "duckdb:shop";
inline constexpr const char* account = "rows/add-remove";

// ana: epsilon 2, delta 5e-7; bo: epsilon 2, delta 5e-7; together epsilon 3, delta 6e-7.
inline Policy small_policy(const std::string& ledger_path) {
  Policy policy;
  policy.ledger_path = ledger_path;
  policy.budget.global = {Epsilon{3.0}, Delta{6e-7}};
  policy.budget.analysts["ana"] = {Epsilon{2.0}, Delta{5e-7}};
  policy.budget.analysts["bo"] = {Epsilon{2.0}, Delta{5e-7}};
  return policy;
}

inline Charge charge_of(const std::string& analyst, double epsilon, double delta = 0.0,
                        const std::string& to_account = account) {
  return {analyst, to_account, "one row added or removed", Epsilon{epsilon}, Delta{delta}};
}

inline Ledger open_or_abort(const Policy& policy) {
  auto ledger = Ledger::open(policy, identity);
  if (!ledger) ADD_FAILURE() << to_line(ledger.error());
  return std::move(ledger).value();
}

inline Result<BudgetReservation> ask_and_reserve(Ledger& ledger, const Charge& charge) {
  TACIT_TRY(const std::int64_t question, ledger.asked(charge.analyst, "SELECT count(*) FROM visit"));
  return ledger.reserve(question, charge);
}

}  // namespace tacit::testing
