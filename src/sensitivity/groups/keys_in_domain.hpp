#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// A row whose key cannot be computed from what the owner declared belongs to no group. Computations read a declared
// column clamped; in a group key that would count December as November where the policy ends there. So rows are left
// out by a condition of their own, before they are grouped:
//
//   GROUP BY EXTRACT(month FROM placed)  ->  WHERE (placed BETWEEN min AND max) IS NOT FALSE
//
// of the columns that the key computes with; of CASE and COALESCE, in the branch that is taken. NULL is inside: what
// becomes of NULL is the key's matter.
// Proof: keys_in_domain.md.
struct KeysInDomain {
  RelationPtr input;                 // the query's, with a filter on top and further columns where subqueries compute
  std::vector<std::string> columns;  // those that are compared with their bounds, as the policy names them
};

// For keys that compute, and for the keys of subqueries with GROUP BY.
Result<KeysInDomain> keep_computed_keys_in_domain(const TypedQuery& query);

// (column BETWEEN min AND max) IS NOT FALSE, or (column IN (values)) IS NOT FALSE; null where nothing is declared, or
// the type keeps it.
Result<ExprPtr> in_declared_domain(const ColumnPtr& column);

// For keys that are bare columns of private tables, where the groups come from the data. (A list of groups keeps the
// others out by itself.) `columns` is added to.
Result<RelationPtr> keep_bare_keys_in_domain(RelationPtr input, const std::vector<GroupKey>& keys,
                                             std::vector<std::string>& columns);

}  // namespace tacit
