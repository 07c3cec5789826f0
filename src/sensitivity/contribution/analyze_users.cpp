#include "sensitivity/contribution/analyze_users.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sensitivity/contribution/expose_owner.hpp"
#include "sensitivity/contribution/ownership.hpp"
#include "sensitivity/contribution/user_bounds.hpp"
#include "sensitivity/contribution/user_groups.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

OwnerArgument owner_argument(const Expr& expr, const EqualTerms& equal, RowTerm owner) {
  if (const auto* reference = std::get_if<ColumnRef>(&expr.node)) {
    return equal.same(reference->column.get(), owner) ? OwnerArgument::owner : OwnerArgument::none;
  }
  const auto* call = std::get_if<Call>(&expr.node);
  if (call == nullptr || call->rule->name != "case") return OwnerArgument::none;
  // condition, value, condition, value, ... [, else]
  for (std::size_t i = 0; i < call->args.size(); ++i) {
    const bool is_condition = i % 2 == 0 && i + 1 < call->args.size();
    if (is_condition) continue;
    const Expr& value = *call->args[i];
    const auto* literal = std::get_if<Literal>(&value.node);
    if (literal != nullptr && std::holds_alternative<Null>(literal->value)) continue;
    if (owner_argument(value, equal, owner) == OwnerArgument::none) return OwnerArgument::none;
  }
  return OwnerArgument::owner_or_null;
}

// Keys of these types are one group for different stored values: what Tacit cannot read (infinite dates, NaN of
// PostgreSQL's decimals) is NULL (rewrite/users_statement.md).
bool joins_values(const SqlType& type) {
  return type.kind == TypeKind::date || type.kind == TypeKind::timestamp || type.kind == TypeKind::decimal;
}

std::vector<RowTerm> owner_and_bare_keys(const Ownership& ownership, const std::vector<GroupKey>& keys) {
  std::vector<RowTerm> given{ownership.owner};
  for (const GroupKey& key : keys) {
    if (joins_values(key.expression->type)) continue;
    if (const auto* reference = std::get_if<ColumnRef>(&key.expression->node)) given.push_back(reference->column.get());
  }
  return given;
}

Status check_leftovers(const QueryOptions& options, const UserGroups& groups) {
  if (!options.leftovers || groups.private_keys) return {};
  const auto given = std::find_if(options.users.begin(), options.users.end(),
                                  [](const auto& option) { return option.first == "leftovers"; });
  return refuse("option leftovers has nothing to gather: every group of this query is shown", "leave it out",
                given == options.users.end() ? 0 : given->second);
}

}  // namespace

Result<AnalyzedQuery> analyze_users(TypedQuery query, const Policy& policy) {
  TACIT_TRY(Ownership ownership, prove_ownership(query.input));
  TACIT_TRY(OwnedRelation owned, expose_owner(query.input, ownership));
  const long long most_groups = query.options.max_groups.value_or(policy.users.max_groups);
  TACIT_TRY(UserGroups groups, find_user_groups(query.keys, owned.relation, ownership, most_groups));
  TACIT_TRY_STATUS(check_leftovers(query.options, groups));

  AnalyzedQuery analyzed;
  analyzed.neighbours = {"users", "one person added to or removed from the database, with every row they own", "users"};
  analyzed.derivation = {"users", fmt::format("neighbours: {}", analyzed.neighbours.description), {}};
  if (!owned.derivation.rule.empty()) ownership.derivation.children.push_back(std::move(owned.derivation));
  analyzed.derivation.children.push_back(std::move(ownership.derivation));
  analyzed.declared_keys = ownership.declared_keys;
  analyzed.derivation.children.push_back(std::move(groups.derivation));

  auto users = std::make_shared<UsersAnalysis>();
  users->owner = std::move(owned.owner);
  users->groups_per_user = groups.groups_per_user;
  users->samples_groups = groups.samples_groups;
  users->private_keys = groups.private_keys;
  const std::vector<RowTerm> there{ownership.owner};  // rows of nobody are left out
  users->one_row_per_user = determines_row(ownership.facts, there, there);
  users->one_row_per_group =
      users->one_row_per_user || determines_row(ownership.facts, owner_and_bare_keys(ownership, groups.keys), there);
  if (users->one_row_per_user && users->groups_per_user > 1) {
    users->groups_per_user = 1;
    users->samples_groups = false;
    analyzed.derivation.children.push_back({"groups of a person", "one: a person has one row", {}});
  }
  users->selection = query.options.selection.value_or(policy.users.selection);
  users->leftovers = query.options.leftovers;

  UserRows rows;
  rows.one_row = users->one_row_per_group;
  rows.max_rows = query.options.max_rows ? query.options.max_rows : policy.users.max_rows;
  rows.inference = query.options.bounds.value_or(policy.users.bounds);
  const EqualTerms equal(ownership.facts);
  for (const Aggregate& aggregate : query.aggregates) {
    const OwnerArgument of_owner =
        aggregate.argument ? owner_argument(*aggregate.argument, equal, ownership.owner) : OwnerArgument::none;
    TACIT_TRY(BoundedUserAggregate bounded, bound_user_aggregate(aggregate, of_owner, rows));
    users->aggregates.push_back(std::move(bounded.aggregate));
    analyzed.derivation.children.push_back(std::move(bounded.derivation));
  }

  query.input = std::move(owned.relation);
  query.keys = std::move(groups.keys);
  analyzed.domains = std::move(groups.domains);
  analyzed.users = std::move(users);
  analyzed.query = std::move(query);
  return analyzed;
}

}  // namespace tacit
