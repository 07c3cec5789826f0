#pragma once

#include <string>
#include <vector>

#include "budget/ledger.hpp"
#include "catalog/catalog.hpp"
#include "engine/engine.hpp"
#include "policy/policy.hpp"
#include "sensitivity/analyzed_query.hpp"
#include "verify/verify_policy.hpp"

namespace tacit {

// Primary keys of users and rows tables, and dependencies of rows tables, that the policy declares and the engine does
// not enforce: files and databases without constraints. Such a fact (called key below) counts
//   1. where the owner's `policy check --verify` found it true of the very state of the data that is read; or
//   2. where the policy says keys = "trusted".
// The promise then covers databases in which the key is unique. A question that needs a key without either is refused,
// by the absence of the record alone. Proof: declared_keys.md.

// The catalog with each such key's state and record, as of now.
Result<Catalog> with_verified_keys(const Policy& policy, const Catalog& catalog, Engine& engine, const Ledger& ledger);

// Fails unless the rows that verified keys are about are still in the state in which the plan found them.
// REQUIRES: the statement that reads them has ended.
Status check_still_verified(Engine& engine, const std::vector<DeclaredKeyUse>& keys);

// One sentence for each key that an answer rests on by the owner's word.
std::vector<std::string> describe_declared_keys(const std::vector<DeclaredKeyUse>& keys);

// The keys that a check may find true, with their states, before it reads the data.
std::vector<KeyOfState> keys_to_verify(const Policy& policy, const Catalog& catalog, Engine& engine);
// What is to be recorded of them after it; the state is empty where the key does not hold, or the data have changed.
std::vector<KeyOfState> verified_keys(const Policy& policy, const Catalog& catalog, Engine& engine,
                                      const std::vector<KeyOfState>& before, const std::vector<Finding>& findings);

}  // namespace tacit
