#include "budget/ledger.hpp"

#include <fmt/format.h>

#include <mutex>
#include <set>

#include "base/check.hpp"
#include "base/nearest_name.hpp"
#include "budget/amount.hpp"
#include "budget/check_affordable.hpp"
#include "budget/event_log.hpp"
#include "budget/ledger_file.hpp"
#include "budget/ledger_schema.hpp"
#include "budget/process_mark.hpp"
#include "budget/safe_text.hpp"
#include "budget/spending.hpp"

namespace tacit {

struct Ledger::Impl {
  Impl(SqliteFile opened, BudgetPolicy budget_policy) : file(std::move(opened)), budget(std::move(budget_policy)) {}

  Status check_listed(const std::string& analyst) const {
    if (budget.analysts.contains(analyst)) return {};
    std::vector<std::string> names;
    for (const auto& [name, allowance] : budget.analysts) names.push_back(name);
    return fail({FailureCode::usage,
                 fmt::format("the policy lists no analyst `{}`{}", safe_text(analyst), did_you_mean(analyst, names)),
                 "", "use a name of [budget.analysts], or add this one there"});
  }

  Result<std::int64_t> append_alone(const NewEvent& event) {
    TACIT_TRY(Transaction transaction, Transaction::begin_write(file));
    TACIT_TRY(const std::int64_t id, append(file, event));
    TACIT_TRY_STATUS(transaction.commit());
    return id;
  }

  // What the ledger knew before the charge; looked up for the first one alone.
  Status look_back(BudgetReservation& reservation) {
    TACIT_TRY(const std::int64_t charges,
              file.integer("SELECT count(*) FROM spending WHERE account = ?1 AND analyst = ?2",
                           {reservation.charge.account, reservation.charge.analyst}));
    if (charges != 0) return {};
    reservation.first_of_account = true;
    TACIT_TRY(reservation.earlier, charged_since_reset(file));
    return {};
  }

  Status add_states(const AccountView& view, bool is_counted, std::vector<AccountState>& states) {
    TACIT_TRY(auto spent, spent_in_account(file, view.account, view.counted));
    for (const auto& [analyst, allowance] : budget.analysts) spent.try_emplace(analyst);
    Balance balance;
    for (const auto& [analyst, amount] : spent) {
      TACIT_TRY(balance, balance_of(file, budget, analyst, view.account, view.counted));
      states.push_back({view.account, view.description, analyst, to_allowance_rounded_down(balance.allowed),
                        to_allowance_rounded_up(balance.spent), to_remaining_rounded_down(balance.remaining()),
                        is_counted});
    }
    states.push_back({view.account, view.description, "", to_allowance_rounded_down(balance.allowed_to_all),
                      to_allowance_rounded_up(balance.spent_by_all), to_remaining_rounded_down(balance.rest_of_all()),
                      is_counted});
    return {};
  }

  std::mutex one_at_a_time;
  SqliteFile file;
  BudgetPolicy budget;
};

Ledger::Ledger(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Result<Ledger> Ledger::open(const Policy& policy, const std::string& engine_identity) {
  TACIT_TRY(SqliteFile file, open_ledger_file(policy.ledger_path, engine_identity));
  return Ledger(std::make_unique<Impl>(std::move(file), policy.budget));
}

Status Ledger::adopt(const Policy& policy, const std::string& engine_identity, const std::string& reason) {
  return adopt_ledger_file(policy.ledger_path, engine_identity, reason);
}

Result<std::int64_t> Ledger::asked(const std::string& analyst, const std::string& sql) {
  const std::lock_guard lock(impl_->one_at_a_time);
  TACIT_TRY_STATUS(impl_->check_listed(analyst));
  return impl_->append_alone({.kind = "asked", .analyst = analyst, .detail = sql});
}

Status Ledger::refused(std::int64_t question, const Failure& failure) {
  const std::lock_guard lock(impl_->one_at_a_time);
  SqliteFile& file = impl_->file;
  TACIT_TRY(Transaction transaction, Transaction::begin_write(file));
  TACIT_TRY(const std::string analyst, analyst_of_open_question(file, question));
  TACIT_TRY_STATUS(append(file, {.kind = "refused", .question = question, .analyst = analyst, .detail = failure.what}));
  return transaction.commit();
}

Result<BudgetReservation> Ledger::reserve(std::int64_t question, const Charge& charge) {
  const std::lock_guard lock(impl_->one_at_a_time);
  TACIT_CHECK(!charge.account.empty(), "a charge names its account");
  TACIT_TRY_STATUS(impl_->check_listed(charge.analyst));
  TACIT_TRY(const Amount price, charge_rounded_up(charge.epsilon, charge.delta));

  SqliteFile& file = impl_->file;
  TACIT_TRY(Transaction transaction, Transaction::begin_write(file));
  TACIT_TRY(const std::string asked_by, analyst_of_open_question(file, question));
  TACIT_CHECK(asked_by == charge.analyst, "a question is charged to the analyst who asked it");
  TACIT_TRY_STATUS(check_not_locked_out(file, charge.analyst));
  TACIT_TRY(const Balance balance, balance_of(file, impl_->budget, charge.analyst, charge.account, charge.counted));
  TACIT_TRY_STATUS(check_affordable(balance, price, charge));
  BudgetReservation reservation{question, charge};
  TACIT_TRY_STATUS(impl_->look_back(reservation));
  TACIT_TRY_STATUS(append(file, {.kind = "reserved",
                                 .question = question,
                                 .analyst = charge.analyst,
                                 .account = charge.account,
                                 .amount = price,
                                 .detail = charge.account_description}));
  TACIT_TRY_STATUS(file.run("UPDATE unsettled SET process = ?1 WHERE question = ?2", {this_process(), question}));
  TACIT_TRY_STATUS(transaction.commit());
  return reservation;
}

Result<Remaining> Ledger::answered(const BudgetReservation& reservation) {
  const std::lock_guard lock(impl_->one_at_a_time);
  const std::int64_t question = reservation.question;
  const Charge& charge = reservation.charge;
  SqliteFile& file = impl_->file;
  TACIT_TRY(Transaction transaction, Transaction::begin_write(file));
  TACIT_TRY(const std::int64_t charged_at, charge_of_unsettled_question(file, reservation));
  TACIT_TRY(const std::int64_t resets_since,
            file.integer("SELECT count(*) FROM events WHERE kind = 'reset' AND id > ?1", {charged_at}));
  if (resets_since != 0) {
    return fail({FailureCode::ledger, "the ledger was reset while the query was running, its charge no longer counts",
                 file.path(), "ask again"});
  }
  TACIT_TRY_STATUS(
      append(file, {.kind = "answered", .question = question, .analyst = charge.analyst, .account = charge.account}));
  TACIT_TRY(const Balance balance, balance_of(file, impl_->budget, charge.analyst, charge.account, charge.counted));
  TACIT_TRY_STATUS(transaction.commit());
  return to_remaining_rounded_down(balance.remaining());
}

Status Ledger::failed(const BudgetReservation& reservation, const Failure& failure) {
  const std::lock_guard lock(impl_->one_at_a_time);
  const std::int64_t question = reservation.question;
  const Charge& charge = reservation.charge;
  SqliteFile& file = impl_->file;
  TACIT_TRY(Transaction transaction, Transaction::begin_write(file));
  TACIT_TRY_STATUS(charge_of_unsettled_question(file, reservation));
  TACIT_TRY_STATUS(append(file, {.kind = "failed",
                                 .question = question,
                                 .analyst = charge.analyst,
                                 .account = charge.account,
                                 .detail = failure.what}));
  return transaction.commit();
}

Result<Remaining> Ledger::remaining(const std::string& analyst, const std::string& account,
                                    const CountedShare& counted) {
  const std::lock_guard lock(impl_->one_at_a_time);
  TACIT_TRY_STATUS(impl_->check_listed(analyst));
  TACIT_TRY(Transaction transaction, Transaction::begin_read(impl_->file));
  TACIT_TRY(const Balance balance, balance_of(impl_->file, impl_->budget, analyst, account, counted));
  return to_remaining_rounded_down(balance.remaining());
}

Status Ledger::grant(const std::string& analyst, Epsilon epsilon, Delta delta, const std::string& reason) {
  const std::lock_guard lock(impl_->one_at_a_time);
  TACIT_TRY_STATUS(impl_->check_listed(analyst));
  TACIT_TRY(const Amount amount, grant_rounded_down(epsilon, delta));
  TACIT_TRY_STATUS(impl_->append_alone({.kind = "grant", .analyst = analyst, .amount = amount, .detail = reason}));
  return {};
}

Status Ledger::reset(const std::string& reason) {
  const std::lock_guard lock(impl_->one_at_a_time);
  TACIT_TRY_STATUS(impl_->append_alone({.kind = "reset", .detail = reason}));
  return {};
}

Result<std::vector<AccountState>> Ledger::states(const std::vector<AccountView>& views) {
  const std::lock_guard lock(impl_->one_at_a_time);
  TACIT_TRY(Transaction transaction, Transaction::begin_read(impl_->file));
  TACIT_TRY(const auto accounts, known_accounts(impl_->file));
  std::vector<AccountState> states;
  std::set<std::string> counted_somewhere;
  for (const AccountView& view : views) {
    bool is_used = false;
    for (const auto& [account, description] : accounts) {
      if (!view.counted(account)) continue;
      counted_somewhere.insert(account);
      is_used = true;
    }
    if (is_used) TACIT_TRY_STATUS(impl_->add_states(view, true, states));
  }
  for (const auto& [account, description] : accounts) {
    if (counted_somewhere.contains(account)) continue;
    TACIT_TRY_STATUS(impl_->add_states({account, description, nullptr}, views.empty(), states));
  }
  if (accounts.empty()) TACIT_TRY_STATUS(impl_->add_states({"", "", nullptr}, true, states));
  return states;
}

Result<std::vector<ChargedAccount>> Ledger::charged_accounts() {
  const std::lock_guard lock(impl_->one_at_a_time);
  return charged_since_reset(impl_->file);
}

Result<std::vector<LedgerEvent>> Ledger::history(std::size_t last) {
  const std::lock_guard lock(impl_->one_at_a_time);
  return newest_events(impl_->file, last);
}

Result<std::vector<std::string>> Ledger::adoptions() {
  const std::lock_guard lock(impl_->one_at_a_time);
  TACIT_TRY(Statement statement,
            impl_->file.prepare("SELECT value FROM meta WHERE name LIKE 'adopted %' ORDER BY name"));
  std::vector<std::string> adoptions;
  for (;;) {
    TACIT_TRY(const bool row, statement.step());
    if (!row) return adoptions;
    adoptions.push_back(statement.text(0));
  }
}

Status Ledger::record_keys(const std::vector<KeyOfState>& keys) {
  const std::lock_guard lock(impl_->one_at_a_time);
  SqliteFile& file = impl_->file;
  TACIT_TRY(Transaction transaction, Transaction::begin_write(file));
  TACIT_TRY_STATUS(file.run_script(ledger_verified_keys));
  for (const KeyOfState& key : keys) {
    TACIT_TRY_STATUS(file.run("DELETE FROM verified_keys WHERE table_name = ?1 AND key = ?2", {key.table, key.key}));
    if (key.state.empty()) continue;
    TACIT_TRY_STATUS(file.run("INSERT INTO verified_keys VALUES (?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
                              {key.table, key.key, key.state}));
  }
  return transaction.commit();
}

Result<std::string> Ledger::key_verified_at(const KeyOfState& key) const {
  const std::lock_guard lock(impl_->one_at_a_time);
  SqliteFile& file = impl_->file;
  if (key.state.empty()) return std::string();
  TACIT_TRY(const std::int64_t tables,
            file.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'verified_keys'"));
  if (tables == 0) return std::string();
  return file.text("SELECT coalesce(max(at), '') FROM verified_keys WHERE table_name = ?1 AND key = ?2 AND state = ?3",
                   {key.table, key.key, key.state});
}

}  // namespace tacit
