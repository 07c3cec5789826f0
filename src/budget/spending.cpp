#include "budget/spending.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "budget/process_mark.hpp"

namespace tacit {

namespace {

std::int64_t times_rounded_up(std::int64_t units, double share) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto amount = static_cast<double>(units);
  if (static_cast<std::int64_t>(amount) < units) amount = std::nextafter(amount, infinity);
  double product = amount * share;
  if (std::fma(amount, share, -product) > 0.0) product = std::nextafter(product, infinity);
  product = std::ceil(product);
  return product < static_cast<double>(most_units) ? static_cast<std::int64_t>(product) : most_units;
}

Amount times_rounded_up(const Amount& amount, double share) {
  if (share == 1.0) return amount;
  return {times_rounded_up(amount.epsilon_units, share), times_rounded_up(amount.delta_units, share)};
}

}  // namespace

Result<std::map<std::string, Amount>> spent_in_account(SqliteFile& file, const std::string& account,
                                                       const CountedShare& counted) {
  TACIT_TRY(Statement statement, counted ? file.prepare("SELECT account, analyst, epsilon, delta FROM spending")
                                         : file.prepare("SELECT account, analyst, epsilon, delta FROM spending "
                                                        "WHERE account = ?1",
                                                        {account}));
  std::map<std::string, Amount> spent;
  for (;;) {
    TACIT_TRY(const bool row, statement.step());
    if (!row) return spent;
    const std::string charged = statement.text(0);
    const auto share = charged == account ? 1.0 : counted(charged);
    if (!share) continue;
    Amount& amount = spent[statement.text(1)];
    amount = sum_saturating(amount, times_rounded_up({statement.integer(2), statement.integer(3)}, *share));
  }
}

Result<Amount> granted_to(SqliteFile& file, const std::string& analyst) {
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

Result<Balance> balance_of(SqliteFile& file, const BudgetPolicy& policy, const std::string& analyst,
                           const std::string& account, const CountedShare& counted) {
  Balance balance;
  TACIT_TRY(const Amount granted, granted_to(file, analyst));
  if (const auto listed = policy.analysts.find(analyst); listed != policy.analysts.end()) {
    balance.allowed = sum_saturating(allowance_rounded_down(listed->second), granted);
  }
  balance.allowed_to_all = allowance_rounded_down(policy.global);
  TACIT_TRY(const auto spent, spent_in_account(file, account, counted));
  for (const auto& [who, amount] : spent) {
    balance.spent_by_all = sum_saturating(balance.spent_by_all, amount);
    if (who == analyst) balance.spent = amount;
  }
  return balance;
}

namespace {

// Charged questions whose process ended before it told how they went.
Result<std::int64_t> abandoned_since(SqliteFile& file, const std::string& analyst, std::int64_t since) {
  TACIT_TRY(Statement statement,
            file.prepare("SELECT process FROM unsettled WHERE analyst = ?1 AND charged > ?2", {analyst, since}));
  std::int64_t abandoned = 0;
  for (;;) {
    TACIT_TRY(const bool row, statement.step());
    if (!row) return abandoned;
    if (!still_runs(statement.text(0))) ++abandoned;
  }
}

}  // namespace

Status check_not_locked_out(SqliteFile& file, const std::string& analyst) {
  TACIT_TRY(const std::int64_t since,
            file.integer("SELECT max((SELECT coalesce(max(id), 0) FROM events WHERE kind = 'reset'), "
                         "(SELECT coalesce(max(id), 0) FROM events WHERE kind = 'grant' AND "
                         "analyst = ?1))",
                         {analyst}));
  TACIT_TRY(
      const std::int64_t failed,
      file.integer("SELECT count(*) FROM events WHERE kind = 'failed' AND analyst = ?1 AND id > ?2", {analyst, since}));
  TACIT_TRY(const std::int64_t abandoned, abandoned_since(file, analyst, since));
  if (failed + abandoned < failures_before_lock_out) return {};
  std::string why = fmt::format("{} queries failed in the engine", failed);
  if (abandoned > 0) {
    why = fmt::format("{} queries failed in the engine or were cut off before they were settled", failed + abandoned);
  }
  return fail({FailureCode::budget, fmt::format("analyst `{}` is locked out: {}", analyst, why), "",
               "ask the owner to look at `tacit ledger show` and to unlock with `tacit ledger grant` (0 is enough)"});
}

Result<std::vector<ChargedAccount>> charged_since_reset(SqliteFile& file) {
  TACIT_TRY(Statement statement,
            file.prepare("SELECT account, (SELECT detail FROM events WHERE id = newest), epsilon, delta FROM "
                         "(SELECT account, min(id) AS oldest, max(id) AS newest, sum(epsilon) AS epsilon, "
                         "sum(delta) AS delta FROM events WHERE kind = 'reserved' AND "
                         "id > (SELECT coalesce(max(id), 0) FROM events WHERE kind = 'reset') GROUP BY account) "
                         "ORDER BY oldest"));
  std::vector<ChargedAccount> accounts;
  for (;;) {
    TACIT_TRY(const bool row, statement.step());
    if (!row) return accounts;
    accounts.push_back(
        {statement.text(0), statement.text(1), to_allowance_rounded_up({statement.integer(2), statement.integer(3)})});
  }
}

Result<std::vector<KnownAccount>> known_accounts(SqliteFile& file) {
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
