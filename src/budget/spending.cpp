#include "budget/spending.hpp"

#include <fmt/format.h>

namespace tacit {

Result<std::map<std::string, Amount>> spent_in_account(Connection& file, const std::string& account) {
  TACIT_TRY(Statement statement,
            file.prepare("SELECT analyst, epsilon, delta FROM spending WHERE account = ?1", {account}));
  std::map<std::string, Amount> spent;
  for (;;) {
    TACIT_TRY(const bool row, statement.step());
    if (!row) return spent;
    spent[statement.text(0)] = Amount{statement.integer(1), statement.integer(2)};
  }
}

Result<Amount> granted_to(Connection& file, const std::string& analyst) {
  TACIT_TRY(Statement statement, file.prepare("SELECT epsilon, delta FROM events WHERE kind = 'grant' AND analyst = ?1 "
                                              "AND id > (SELECT coalesce(max(id), 0) FROM events WHERE kind = 'reset')",
                                              {analyst}));
  Amount granted;
  for (;;) {
    TACIT_TRY(const bool row, statement.step());
    if (!row) return granted;
    granted = sum_saturating(granted, {statement.integer(0), statement.integer(1)});
  }
}

Result<Balance> balance_of(Connection& file, const BudgetPolicy& policy, const std::string& analyst,
                           const std::string& account) {
  Balance balance;
  TACIT_TRY(const Amount granted, granted_to(file, analyst));
  if (const auto listed = policy.analysts.find(analyst); listed != policy.analysts.end()) {
    balance.allowed = sum_saturating(allowance_rounded_down(listed->second), granted);
  }
  balance.allowed_to_all = allowance_rounded_down(policy.global);
  TACIT_TRY(const auto spent, spent_in_account(file, account));
  for (const auto& [who, amount] : spent) {
    balance.spent_by_all = sum_saturating(balance.spent_by_all, amount);
    if (who == analyst) balance.spent = amount;
  }
  return balance;
}

Status check_not_locked_out(Connection& file, const std::string& analyst) {
  TACIT_TRY(const std::int64_t failures,
            file.integer("SELECT count(*) FROM events WHERE kind = 'failed' AND analyst = ?1 "
                         "AND id > (SELECT coalesce(max(id), 0) FROM events WHERE kind = 'reset') "
                         "AND id > (SELECT coalesce(max(id), 0) FROM events WHERE kind = 'grant' AND analyst = ?1)",
                         {analyst}));
  if (failures < failures_before_lock_out) return {};
  return fail({FailureCode::budget,
               fmt::format("analyst `{}` is locked out: {} queries failed in the engine", analyst, failures), "",
               "ask the owner to look at `tacit ledger show` and to unlock with `tacit ledger grant` (0 is enough)"});
}

Result<std::vector<KnownAccount>> known_accounts(Connection& file) {
  TACIT_TRY(Statement statement, file.prepare("SELECT account, (SELECT detail FROM events WHERE id = newest) FROM "
                                              "(SELECT account, min(id) AS oldest, max(id) AS newest FROM events "
                                              "WHERE kind = 'reserved' GROUP BY account) ORDER BY oldest"));
  std::vector<KnownAccount> accounts;
  for (;;) {
    TACIT_TRY(const bool row, statement.step());
    if (!row) return accounts;
    accounts.push_back({statement.text(0), statement.text(1)});
  }
}

}  // namespace tacit
