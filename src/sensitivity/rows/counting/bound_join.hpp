#pragma once

#include "base/result.hpp"
#include "sensitivity/rows/counting/count_bound.hpp"
#include "sensitivity/rows/counting/join_query.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

constexpr std::size_t most_joined_tables = 24;  // so that the analysis takes well below a second

// How often one private row counts in each aggregate of a query over a join.
struct JoinBounds {
  struct Bound {
    long long rows = 1;              // at most so many joined rows, or combinations of values
    std::optional<long long> lower;  // shown by a witness; empty: none was found
  };
  std::vector<Bound> aggregates;  // one per query.aggregates
  JoinOnce parts;
  std::vector<AssumedKey> assumed_keys;
  std::vector<AssumedDependency> assumed_dependencies;
  std::vector<DeclaredKeyUse> declared;
  Derivation derivation;
};

// Statement: adding or removing one private row adds or removes, in all groups together, at most `rows` joined rows;
// COUNT(DISTINCT x): combinations of the group keys and x.
// A bound of COUNT(*) is that of the query with the rows of all scans as its head, whatever the groups: each joined row
// is in one group. COUNT(DISTINCT x) has the columns of the keys and of x: each combination counts in one group, and
// what is computed from columns has no more values than they have.
// Preconditions: at most most_joined_tables are read; those of join_query.hpp; no bound rests on a fact that nobody
// vouches for. Refuses where a count has no bound, naming the dependencies that are missing. Proof: bound_join.md.
Result<JoinBounds> bound_join(const TypedQuery& query);

}  // namespace tacit
