#pragma once

#include <optional>

#include "base/result.hpp"
#include "sensitivity/derivation.hpp"
#include "sensitivity/users/users_analysis.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// How many rows of one person count: what the owner or the analyst wants.
struct RowLimits {
  std::optional<long long> per_group;
  bool per_group_in_query = false;  // the analyst's own wish, which is obeyed as it stands
  std::optional<long long> in_all;  // in all groups together
};

// What is known about one person's rows.
struct UserRows {
  bool one_row = false;      // an enforced key allows only one in each group
  bool row_is_user = false;  // each row is a person of its own (UsersAnalysis::row_is_user)
  RowLimits limits;
  bool several_groups = false;  // the person may be in more than one
  bool groups_stated = false;   // in how many was stated
  bool private_keys = false;
  BoundsInference inference = BoundsInference::histogram;
};

// How an aggregate's argument relates to the owner.
enum class OwnerArgument {
  none,
  owner,          // it is the owner
  owner_or_null,  // the owner in some rows, NULL in the others: COUNT(DISTINCT owner) FILTER (WHERE ...)
};

struct BoundedUserAggregate {
  UserAggregate aggregate;
  Derivation derivation;
};

// What each person says for the aggregate in one group, and between which bounds. Bounds are, the first that exists:
//   1. written in the query;
//   2. derived: one row a person, or max_rows rows, each within the argument's stated range;
//   3. inferred privately when the query runs (not for quantiles and COUNT(DISTINCT x): those are refused).
// Totals are bounded over all groups together (UserAggregate::over_all) where neither the query's bounds nor a stated
// number of groups says otherwise: by what max_rows says, else privately, within what 1 and 2 say of each group. A
// number of people in private groups is not: it is compared with a threshold, one group at a time.
// Whatever the bounds, the engine clamps a person's value to them: a wrong one costs accuracy, not privacy.
// With max_rows the person's total is clamped to what that many rows could have; no row is left out.
// Refuses bounds that are no numbers, out of order, or beyond what the value's grid holds. Proof: user_bounds.md.
Result<BoundedUserAggregate> bound_user_aggregate(const Aggregate& aggregate, OwnerArgument owner,
                                                  const UserRows& rows);

}  // namespace tacit
