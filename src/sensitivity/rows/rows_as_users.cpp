#include "sensitivity/rows/rows_as_users.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "sensitivity/groups/keys_in_domain.hpp"
#include "sensitivity/inline_columns.hpp"
#include "sensitivity/rows/rows_statistic.hpp"
#include "sensitivity/users/ownership.hpp"
#include "sensitivity/users/user_bounds.hpp"
#include "sensitivity/users/user_grid.hpp"
#include "sensitivity/users/user_groups.hpp"

namespace tacit {
namespace {

const Relation& private_scan(const Relation& input) {
  for (const Relation* scan : scans_of(input)) {
    if (!std::get<Scan>(scan->node).table->is_public()) return *scan;
  }
  TACIT_CHECK(false, "the query reads a private table");
}

RowNeighbour neighbour_of(const Relation& scan) {
  return std::get<RowsTable>(std::get<Scan>(scan.node).table->model).neighbour;
}

// The columns of the private table that are keys themselves.
Result<std::set<std::string>> stored_keys(const std::vector<GroupKey>& keys, const JoinOnce& join,
                                          const Relation& scan) {
  std::set<std::string> names;
  for (const GroupKey& key : keys) {
    TACIT_TRY(const ExprPtr expanded, inline_columns(key.expression, join.definitions));
    const auto* reference = std::get_if<ColumnRef>(&expanded->node);
    if (reference == nullptr) continue;
    for (const ColumnPtr& column : scan.columns) {
      if (column == reference->column) names.insert(column->name);
    }
  }
  return names;
}

Status refuse_groups_of_one(const std::vector<GroupKey>& keys, const JoinOnce& join, const Relation& scan) {
  TACIT_TRY(const std::set<std::string> stored, stored_keys(keys, join, scan));
  auto keys_of_table = unique_keys(std::get<Scan>(scan.node));
  keys_of_table.push_back(std::get<Scan>(scan.node).table->primary_key);
  for (const auto& unique : keys_of_table) {
    if (unique.empty() ||
        !std::ranges::all_of(unique, [&](const std::string& column) { return stored.contains(column); }))
      continue;
    return refuse("GROUP BY puts every row into a group of its own: its keys are unique",
                  "group by something that many rows share", keys.front().position);
  }
  return {};
}

// In the words of the derivation.
Derivation describe_groups(const TypedQuery& query, bool private_keys) {
  Derivation groups{"rows as users", "each row is a person of its own: one value, in one group", {}};
  if (private_keys) {
    groups.children.push_back({"groups are private", "chosen among those of the data, at the price of a delta", {}});
  } else if (query.keys.empty()) {
    groups.children.push_back({"groups", "one: there is no GROUP BY", {}});
  }
  return groups;
}

}  // namespace

bool needs_releases_of_users(const std::vector<Aggregate>& aggregates) {
  return std::ranges::any_of(aggregates, [](const Aggregate& aggregate) {
    const RowsStatistic* own = find_rows_statistic(aggregate.kind);
    return own == nullptr || (own->adds_values() && !stated_ends(*aggregate.argument));
  });
}

Result<AnalyzedQuery> analyze_rows_as_users(TypedQuery query, JoinOnce join, Result<GroupDomains> listed,
                                            NeighbourRelation neighbours) {
  const Relation& scan = private_scan(*query.input);
  AnalyzedQuery analyzed;
  UsersAnalysis users;
  users.row_is_user = true;
  users.one_row_per_user = users.one_row_per_group = users.keeps_all_rows = true;
  users.users_per_neighbour = neighbour_of(scan) == RowNeighbour::replace ? 2 : 1;
  users.private_keys = !listed.has_value();
  users.selection = query.options.selection;
  users.leftovers = query.options.leftovers;
  TACIT_TRY_STATUS(check_leftovers(query.options, users.private_keys));

  analyzed.derivation = {"rows", fmt::format("neighbours: {}", neighbours.description), {join.derivation}};
  analyzed.derivation.children.push_back(describe_groups(query, users.private_keys));
  if (users.users_per_neighbour > 1) {
    analyzed.derivation.children.push_back(
        {"price per user",
         "one row replaced is one removed and one added: epsilon / 2 and delta / (1 + exp(epsilon / 2)) for each",
         {}});
  }
  analyzed.neighbours = std::move(neighbours);
  if (listed) {
    query.keys = std::move(listed->keys);
    analyzed.domains = std::move(listed->domains);
    if (!listed->derivation.rule.empty()) analyzed.derivation.children.push_back(std::move(listed->derivation));
    users.listed_groups = count_listed_groups(analyzed.domains);
  } else {
    users.without_delta = std::move(listed).error();
    users.without_delta->hint += "; or give a delta (--delta 1e-9), and groups are chosen among those of the data";
    TACIT_TRY_STATUS(refuse_groups_of_one(query.keys, join, scan));
    TACIT_TRY(query.input, keep_bare_keys_in_domain(query.input, query.keys, analyzed.bounded_columns));
  }

  // In how many groups a row is is known, so stated bounds are taken as they are.
  const UserRows rows{.one_row = true,
                      .row_is_user = true,
                      .limits = {},
                      .groups_stated = true,
                      .private_keys = users.private_keys,
                      .inference = query.options.bounds.value_or(BoundsInference::histogram)};
  for (const Aggregate& aggregate : query.aggregates) {
    TACIT_TRY(BoundedUserAggregate bounded, bound_user_aggregate(aggregate, OwnerArgument::none, rows));
    users.aggregates.push_back(std::move(bounded.aggregate));
    analyzed.derivation.children.push_back(std::move(bounded.derivation));
  }
  analyzed.assumed_keys = std::move(join.assumed_keys);
  analyzed.query = std::move(query);
  analyzed.model = std::move(users);
  return analyzed;
}

}  // namespace tacit
