#include "sensitivity/users/analyze_users.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "sensitivity/groups/keys_in_domain.hpp"
#include "sensitivity/users/expose_owner.hpp"
#include "sensitivity/users/ownership.hpp"
#include "sensitivity/users/user_bounds.hpp"
#include "sensitivity/users/user_groups.hpp"
#include "sensitivity/users/users_cells.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

OwnerArgument owner_argument(const Expr& expr, const EqualTerms& equal, RowTerm owner) {
  if (const auto* reference = std::get_if<ColumnRef>(&expr.node)) {
    return equal.same(reference->column.get(), owner) ? OwnerArgument::owner : OwnerArgument::none;
  }
  const Call* call = call_meaning(expr, Meaning::choice);
  if (call == nullptr) return OwnerArgument::none;
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
// PostgreSQL's decimals) is NULL (rewrite/users/users_statement.md).
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

// How many groups of a person count where nobody said so. What is bounded over all groups together needs no limit;
// which private groups are shown is decided as well by one group of each person; for the rest a number is found.
void limit_groups(UsersAnalysis& users, Derivation& derivation) {
  const bool one_by_one =
      std::ranges::any_of(users.aggregates, [](const UserAggregate& aggregate) { return !aggregate.over_all; });
  if (one_by_one) {
    users.infers_groups = users.samples_groups = true;
    derivation.children.push_back(
        {"groups of a person that count", "found privately: nobody stated max_groups_contributed", {}});
    return;
  }
  users.groups_per_user = 1;
  users.samples_groups = users.private_keys;
  derivation.children.push_back({"groups of a person that count", "all: what they add to all groups is bounded", {}});
}

// The column that an exact number is, read within its declared bounds; null for anything else.
const Column* exact_column(const Expr& expr) {
  if (!expr.type.is_exact_number()) return nullptr;
  const Call* call = call_meaning(expr, Meaning::nearest_inside);
  const Expr& read = call != nullptr ? *call->args.front() : expr;
  const auto* reference = std::get_if<ColumnRef>(&read.node);
  return reference != nullptr ? reference->column.get() : nullptr;
}

// The number of people beyond a bound over all groups counts each in their first group, which must be one that is
// listed and in which they say something. Else facts about one group do not tell what an answer misses.
bool counts_in_first_group(const UserAggregate& aggregate, const UsersAnalysis& users, const Relation& rows,
                           const std::vector<KeyDomain>& domains) {
  if (!users.several_groups) return true;
  if (aggregate.value.kind != UserValue::Kind::rows) {
    const Column* column = exact_column(*aggregate.value.argument);
    if (column == nullptr || !never_null(rows, *column)) return false;
  }
  return std::ranges::all_of(domains, [](const KeyDomain& domain) {
    const auto* listed = std::get_if<ListedKeys>(&domain);
    return listed != nullptr && comes_first(*listed);
  });
}

const Column& owner_column(const Expr& owner) {
  const auto* reference = std::get_if<ColumnRef>(&owner.node);
  TACIT_CHECK(reference != nullptr, "the owner is a column");
  return *reference->column;
}

}  // namespace

Result<AnalyzedQuery> analyze_users(TypedQuery query, const Policy& policy) {
  TACIT_TRY(Ownership ownership, prove_ownership(query.input));
  const std::size_t scans = scans_of(*query.input).size();
  TACIT_TRY(OwnedRelation owned, expose_owner(query.input, ownership));
  std::optional<long long> most_groups = query.options.max_groups;
  if (!most_groups) most_groups = policy.users.max_groups;
  TACIT_TRY(UserGroups groups, find_user_groups(query.keys, owned.relation, ownership, most_groups));
  TACIT_TRY_STATUS(check_leftovers(query.options, groups.private_keys));

  AnalyzedQuery analyzed;
  if (groups.private_keys) {
    TACIT_TRY(owned.relation, keep_bare_keys_in_domain(owned.relation, groups.keys, analyzed.bounded_columns));
  }
  analyzed.neighbours = {"users", "one person added to or removed from the database, with every row they own", "users"};
  analyzed.derivation = {"users", fmt::format("neighbours: {}", analyzed.neighbours.description), {}};
  if (!owned.derivation.rule.empty()) ownership.derivation.children.push_back(std::move(owned.derivation));
  analyzed.derivation.children.push_back(std::move(ownership.derivation));
  analyzed.declared_keys = ownership.declared_keys;
  analyzed.derivation.children.push_back(std::move(groups.derivation));

  UsersAnalysis users;
  users.owner = std::move(owned.owner);
  users.groups_per_user = groups.groups_per_user;
  users.several_groups = groups.several_groups;
  users.samples_groups = groups.samples_groups;
  users.samples_totals = groups.samples_groups && most_groups.has_value();
  users.private_keys = groups.private_keys;
  const std::vector<RowTerm> there{ownership.owner};  // rows of nobody are left out
  users.one_row_per_user = determines_row(ownership.facts, there, there);
  users.one_row_per_group =
      users.one_row_per_user || determines_row(ownership.facts, owner_and_bare_keys(ownership, groups.keys), there);
  if (users.one_row_per_user && users.groups_per_user > 1) {
    users.groups_per_user = 1;
    users.several_groups = users.samples_groups = users.samples_totals = false;
    analyzed.derivation.children.push_back({"groups of a person", "one: a person has one row", {}});
  }
  users.selection = query.options.selection ? query.options.selection : policy.users.selection;
  users.leftovers = query.options.leftovers;

  UserRows rows;
  rows.one_row = users.one_row_per_group;
  rows.limits.per_group_in_query = query.options.max_rows_per_group.has_value();
  rows.limits.per_group =
      rows.limits.per_group_in_query ? query.options.max_rows_per_group : policy.users.max_rows_per_group;
  rows.limits.in_all = query.options.max_rows ? query.options.max_rows : policy.users.max_rows;
  rows.several_groups = users.several_groups;
  rows.groups_stated = most_groups.has_value();
  rows.private_keys = users.private_keys;
  rows.inference = query.options.bounds.value_or(policy.users.bounds);
  const EqualTerms equal(ownership.facts);
  for (const Aggregate& aggregate : query.aggregates) {
    const OwnerArgument of_owner =
        aggregate.argument ? owner_argument(*aggregate.argument, equal, ownership.owner) : OwnerArgument::none;
    TACIT_TRY(BoundedUserAggregate bounded, bound_user_aggregate(aggregate, of_owner, rows));
    users.aggregates.push_back(std::move(bounded.aggregate));
    analyzed.derivation.children.push_back(std::move(bounded.derivation));
  }

  for (UserAggregate& aggregate : users.aggregates) {
    if (aggregate.over_all && !counts_in_first_group(aggregate, users, *owned.relation, groups.domains))
      aggregate.facts.reset();
  }
  users.reachable_groups = static_cast<std::size_t>(users.groups_per_user);
  if (!most_groups && users.several_groups) limit_groups(users, analyzed.derivation);
  users.keeps_all_rows =
      scans_of(*owned.relation).size() == scans && never_null(*owned.relation, owner_column(*users.owner));

  users.listed_groups = users.private_keys ? 1 : count_listed_groups(groups.domains);

  query.input = std::move(owned.relation);
  query.keys = std::move(groups.keys);
  analyzed.domains = std::move(groups.domains);
  analyzed.model = std::move(users);
  analyzed.query = std::move(query);
  return analyzed;
}

}  // namespace tacit
