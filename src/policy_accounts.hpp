#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "budget/ledger.hpp"
#include "catalog/catalog.hpp"
#include "policy/neighbours.hpp"

namespace tacit {

// The promises of a policy, one for each kind of neighbours that its tables have, and what the ledger's accounts count
// in them (policy/neighbours.md). They come from what the policy means: how it is written, and tables that a question
// did not concern, change no account.
struct PolicyAccounts {
  std::vector<Neighbours> promises;
  // A metric account of a ledger of format 1 in today's words; empty: it cannot be read.
  std::function<std::optional<Neighbours>(const std::string& account)> read_format_1;
};
using AccountsPtr = std::shared_ptr<const PolicyAccounts>;

// REQUIRES: the policy was checked against the catalog.
AccountsPtr accounts_of(const Policy& policy, const Catalog& catalog);

// The promise to a question that reads these tables. `kind` is one of the policy's (neighbours.hpp, kind_of).
Neighbours promise_to(const PolicyAccounts& accounts, const std::string& kind, const std::vector<TableName>& tables);
CountedShare counted_in(AccountsPtr accounts, const std::string& kind);
std::vector<AccountView> views_of(const AccountsPtr& accounts);

// "distance between databases: l1 of ...", for people.
std::string describe(const Neighbours& neighbours);

// What becomes of money that was spent under a promise which the policy no longer makes: a sentence for each such
// account that concerns a table of the question's promise.
std::vector<std::string> describe_changes(const AccountsPtr& accounts, const Neighbours& promise,
                                          const std::vector<ChargedAccount>& charged);
// The same for all tables of the policy, for the owner.
std::vector<std::string> describe_changes(const AccountsPtr& accounts, const std::vector<ChargedAccount>& charged);

}  // namespace tacit
