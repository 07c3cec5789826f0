#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "policy/policy.hpp"

namespace tacit {

// What a loss of 1 that was charged to an account counts in another; empty: nothing is known, it is kept apart.
using CountedShare = std::function<std::optional<double>(const std::string& account)>;

// What one question costs and to whom.
struct Charge {
  std::string analyst;
  std::string account;              // what its answer protects (policy/neighbours.hpp)
  std::string account_description;  // for people
  Epsilon epsilon;
  Delta delta;
  // Of every account that was charged: how it counts against this one. Left out: this account alone, in full.
  CountedShare counted = nullptr;
};

struct Remaining {  // rounded down
  Epsilon epsilon;
  Delta delta;
};

struct ChargedAccount {
  std::string account;
  std::string description;
  Allowance spent;  // by all analysts since the last reset, rounded up
};

// A reservation that exists is durable on disk. Dropping it without `answered` leaves it charged: nothing is refunded.
struct BudgetReservation {
  std::int64_t question = 0;  // id of the question in the history
  Charge charge;
  bool first_of_account = false;             // the analyst has no earlier charge there since the last reset
  std::vector<ChargedAccount> earlier = {};  // then: the accounts that were charged before, by whomever
};

// One event of the append-only history.
struct LedgerEvent {
  std::int64_t id = 0;
  std::string at;             // UTC, ISO 8601
  std::string kind;           // asked, refused, reserved, answered, failed, grant, reset
  std::int64_t question = 0;  // the id of its `asked` event; 0 for grant and reset
  std::string analyst;
  std::string account;
  double epsilon = 0.0;
  double delta = 0.0;
  std::string detail;  // the SQL (safe_text.hpp), the account's description, the failure's sentence, the owner's reason
};

struct AccountState {  // one line of `tacit ledger show`
  std::string account;
  std::string description;
  std::string analyst;     // empty: all analysts together, under the global cap
  Allowance allowed;       // grants included
  Allowance spent;         // rounded up
  Remaining remaining;     // to an analyst: the smaller of his own and the global rest
  bool is_counted = true;  // false: no question of today's policy is charged against it
};

// An account as the policy of today means it: what it is called, and how each account of the ledger counts in it.
struct AccountView {
  std::string account;
  std::string description;
  CountedShare counted;
};

// A key of a table as the policy declares it, and the state of the data.
struct KeyOfState {
  std::string table;
  std::string key;
  std::string state;  // Engine::state_of; empty: unknown
};

// The durable record of what each analyst has spent. SQLite in WAL mode with full sync; safe for many processes.
// Spending is the sum of reservations since the last reset, whatever happened to them afterwards.
// A reset also ends earlier grants and lock-outs; the history stays.
// Failures carry FailureCode::ledger; FailureCode::budget when the money is gone or the analyst is locked out after 10
// queries that failed or whose process ended before they were settled; FailureCode::usage for an analyst the policy
// does not list and for amounts that make no sense. Calls may come from any thread; a child of fork() opens its own.
class Ledger {
 public:
  // Creates the file when it is missing. Fails when it belongs to another database (`engine_identity`).
  static Result<Ledger> open(const Policy& policy, const std::string& engine_identity);
  // Binds the ledger of the same data in another place to `engine_identity`, with all that was spent; the owner says
  // so.
  static Status adopt(const Policy& policy, const std::string& engine_identity, const std::string& reason);
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  Result<std::int64_t> asked(const std::string& analyst, const std::string& sql);
  Status refused(std::int64_t question, const Failure& failure);
  // Checks analyst allowance, global cap and lock-out in one transaction, then records the charge durably.
  Result<BudgetReservation> reserve(std::int64_t question, const Charge& charge);
  // Durable when it returns: only then may the answer be shown. Fails when the ledger was reset in between.
  Result<Remaining> answered(const BudgetReservation& reservation);
  Status failed(const BudgetReservation& reservation, const Failure& failure);

  // What is left to the analyst in that account: the smaller of his own and the global rest.
  Result<Remaining> remaining(const std::string& analyst, const std::string& account,
                              const CountedShare& counted = nullptr);

  // Raises the analyst's own allowance in every account, never the global cap, and unlocks him; 0 only unlocks.
  Status grant(const std::string& analyst, Epsilon epsilon, Delta delta, const std::string& reason);
  Status reset(const std::string& reason);
  // For every view in which something was charged, and every other account ever charged (one with an empty name when
  // there is none): a line for each analyst of the policy and each other one who spent, then one for all together.
  Result<std::vector<AccountState>> states(const std::vector<AccountView>& views = {});
  Result<std::vector<ChargedAccount>> charged_accounts();      // since the last reset, oldest first
  Result<std::vector<LedgerEvent>> history(std::size_t last);  // newest last
  Result<std::vector<std::string>> adoptions();                // "2026-11-16T00:00:00Z reason", oldest first

  // The owner looked these keys up: each was found true of the data in its state, or, where the state is empty, was
  // not. Takes the place of what was recorded of them before.
  Status record_keys(const std::vector<KeyOfState>& keys);
  // When the key was found true of the data in this state (UTC, ISO 8601); empty: no such record.
  Result<std::string> key_verified_at(const KeyOfState& key) const;

 private:
  struct Impl;
  explicit Ledger(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacit
