#pragma once

#include "base/result.hpp"
#include "sql/bind/aggregate_names.hpp"
#include "sql/bind/binding.hpp"

struct PgQuery__FuncCall;
struct PgQuery__Node;

namespace tacit {

// What stands between the parentheses of an aggregate.
struct AggregateArguments {
  bool star = false;
  const PgQuery__Node* value = nullptr;  // null for *
  const PgQuery__Node* low = nullptr;    // bounds; both or none
  const PgQuery__Node* high = nullptr;
  bool bounds_each_row = false;  // contribution_bounds_per_row
  double fraction = 0.5;         // of a quantile
};

// Reads them in every spelling:
//   sum(x)   count(*)   anon_sum(x, low, high)   sum(x, contribution_bounds_per_group => (low, high))
//   quantile_cont(x, f)   anon_ntile(x, f, low, high)   percentile_cont(f) WITHIN GROUP (ORDER BY x)
// Refuses ORDER BY inside other aggregates, VARIADIC, and a wrong number of arguments.
Result<AggregateArguments> read_aggregate_arguments(const PgQuery__FuncCall& call, const AggregateName& aggregate,
                                                    const Binding& binding);

}  // namespace tacit
