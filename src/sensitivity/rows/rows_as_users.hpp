#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"
#include "sensitivity/groups/group_domains.hpp"

namespace tacit {

// A row is a person who owns one row: what the users model releases answers questions about a table of the rows model.
//
//   MIN, MAX, MEDIAN, quantiles, VAR, STDDEV     chosen by rank, or from three noisy sums
//   SUM, AVG without stated bounds               bounds are found privately
//   GROUP BY keys without a public list          groups are chosen among those of the data, at a delta
//
// Statement: the releases of the users model, whose users are the rows of `query.input`, keep the rows model's promise.
// Preconditions:
//   1. each private row takes part in at most one row of query.input, which depends on it and on public tables alone
//      (join_once.hpp; the caller's);
//   2. so a user has one row, is in one group, and says one value: k = 1, nothing is sampled, nothing is added up;
//   3. where one row becomes another the users' guarantee is that of two users (mechanism/users/price_per_user.md).
// `listed`: the public list of groups, or why there is none. Refuses GROUP BY a unique key of the private table: every
// group would be one row. Proof: rows_as_users.md.
Result<AnalyzedQuery> analyze_rows_as_users(TypedQuery query, JoinOnce join, Result<GroupDomains> listed,
                                            NeighbourRelation neighbours);

// Whether some aggregate is none of the rows model's own sums with stated bounds (aggregate_bound.hpp).
bool needs_releases_of_users(const std::vector<Aggregate>& aggregates);

// Options of the users model that still mean something where a person is a row.
inline constexpr auto options_of_rows_as_users =
    std::to_array<std::string_view>({"group_selection_strategy", "bounds_inference", "leftovers"});

}  // namespace tacit
