#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "answer/answer.hpp"
#include "base/result.hpp"
#include "budget/ledger.hpp"
#include "engine/engine.hpp"
#include "policy/policy.hpp"
#include "policy_accounts.hpp"

namespace tacit {

// An opened policy: engine connected and locked down, catalog checked, ledger bound to the database.
struct OpenedPolicy {
  std::unique_ptr<Policy> policy;  // stable address: typed queries point into it
  std::unique_ptr<Engine> engine;
  Catalog catalog;
  Ledger ledger;
  AccountsPtr accounts;  // what the ledger's money is about
};
Result<OpenedPolicy> open_policy(const std::string& path);

struct Question {
  std::string sql;
  std::optional<std::string> analyst;  // may be left out when the policy lists one
  std::optional<Epsilon>
      epsilon;  // the command line's word wins over OPTIONS(...), which wins over the policy's default
  std::optional<Delta> delta;
};

// The whole flow (docs/architecture.md, "The flow"), one call a line. EXPLAIN (PRIVACY) gives an Explanation and spends
// nothing.
Result<std::variant<Answer, Explanation>> answer_query(OpenedPolicy& opened, const Question& question);

// What `answer_query` would do and cost. With `analyze` (owner only) the exact values and times too.
Result<Explanation> explain_query(OpenedPolicy& opened, const Question& question, bool analyze);

}  // namespace tacit
