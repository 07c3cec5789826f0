#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "budget/amount.hpp"
#include "budget/ledger.hpp"
#include "budget/sqlite.hpp"
#include "policy/policy.hpp"

namespace tacit {

// What the history says about money, read inside the caller's transaction. Only what came after the last reset counts.

// One analyst in one account, and all analysts together in it.
struct Balance {
  Amount allowed;  // the policy's allowance and the owner's grants
  Amount spent;
  Amount allowed_to_all;  // the global cap; grants do not raise it
  Amount spent_by_all;

  Amount rest() const { return rest_of(allowed, spent); }
  Amount rest_of_all() const { return rest_of(allowed_to_all, spent_by_all); }
  Amount remaining() const { return smaller_of(rest(), rest_of_all()); }
};

// What each analyst's charges amount to in the account: those to itself in full, those to others as `counted` says,
// rounded up. Cut at most_units.
Result<std::map<std::string, Amount>> spent_in_account(SqliteFile& file, const std::string& account,
                                                       const CountedShare& counted);
Result<Amount> granted_to(SqliteFile& file, const std::string& analyst);
Result<Balance> balance_of(SqliteFile& file, const BudgetPolicy& policy, const std::string& analyst,
                           const std::string& account, const CountedShare& counted);

// An engine failure may tell one bit about the data (docs/theory/data-dependence.md, "Failures and time"), and so may a
// process that ends between charge and answer; they are counted: after this many since the last grant to him or the
// last reset an analyst is locked out. What another process that still runs has under way does not count.
inline constexpr std::int64_t failures_before_lock_out = 10;

// Refuses (budget) an analyst who is locked out.
Status check_not_locked_out(SqliteFile& file, const std::string& analyst);

// Accounts with charges since the last reset, in the order of the first of them.
Result<std::vector<ChargedAccount>> charged_since_reset(SqliteFile& file);

// Accounts that were ever charged, in the order of their first charge, each with its newest description.
struct KnownAccount {
  std::string account;
  std::string description;
};
Result<std::vector<KnownAccount>> known_accounts(SqliteFile& file);

}  // namespace tacit
