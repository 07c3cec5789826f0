#pragma once

#include <vector>

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"
#include "sensitivity/groups/join_once.hpp"

namespace tacit {

struct GroupDomains {
  std::vector<GroupKey> keys;  // as the engine is to compute them, over the query's own relation
  std::vector<KeyDomain> domains;
  Derivation derivation;  // empty rule when the query has no keys
};

// The groups an answer reports are public: they come from declared domains, from what the expression's text and stated
// bounds allow, or from public tables; never from private rows. Tried in this order, per key:
//   1. an expression over one public part: its distinct values there;
//   2. a private column equated, in an inner join, with a public part's column: that column's values;
//   3. an expression that a conjunct every row meets compares with literals: key IN (...), key = ...;
//   4. an expression with a finite domain (declared values, stated integer or date bounds, boolean, CASE over
//   literals).
// Anything else is refused. Rows whose key lies outside the domain (NULL included, but for 1) are in no group.
Result<GroupDomains> find_group_domains(const std::vector<GroupKey>& keys, const JoinOnce& join);

constexpr std::size_t most_groups = 1'000'000;

}  // namespace tacit
