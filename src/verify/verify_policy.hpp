#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "engine/engine.hpp"
#include "verify/fact.hpp"

namespace tacit {

// What the rows say about a fact. Exact counts: for the owner's eyes only.
struct Finding {
  Fact fact;
  long long table_rows = 0;  // when the table was read
  long long nulls = 0;       // rows with a NULL among the fact's columns
  long long violations = 0;  // keys, values or rows that violate it
  long long violating_rows = 0;
  // A NULL in a primary key refutes it; a row without an owner is nobody's.
  bool fails() const { return violations > 0 || (nulls > 0 && fact.kind == FactKind::primary_key); }
};

// Looks up every fact of the policy, in one snapshot, reading each table at most once.
// REQUIRES: whoever asks is the owner; the policy passed check_against_catalog with this catalog.
Result<std::vector<Finding>> verify_policy(const Policy& policy, const Catalog& catalog, Engine& engine);

// For the owner's terminal: one line a fact, and how many hold.
std::string print_findings(const std::vector<Finding>& findings, const Policy& policy);

// The failure of a policy that says something false of the data; success when nothing fails.
Status all_hold(const std::vector<Finding>& findings, const Policy& policy);

}  // namespace tacit
