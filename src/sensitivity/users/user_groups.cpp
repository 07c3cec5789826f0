#include "sensitivity/users/user_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "sensitivity/groups/group_domains.hpp"
#include "sensitivity/inline_columns.hpp"
#include "sensitivity/users/users_cells.hpp"

namespace tacit {
namespace {

// What find_group_domains asks about a relation: its public parts, the conjuncts every row meets, what subqueries
// compute.
class PublicParts {
 public:
  Status visit(const RelationPtr& relation) {
    if (const auto* filter = std::get_if<Filter>(&relation->node)) {
      TACIT_TRY_STATUS(visit(filter->input));
      return add_conjuncts(filter->predicate);
    }
    const auto* join = std::get_if<Join>(&relation->node);
    const bool is_private = reads_private(*relation);
    if (join != nullptr && (is_private || join->kind != JoinKind::left)) return visit_join(*join);
    if (!is_private) {
      found_.public_parts.push_back({relation, false});
      return {};
    }
    if (const auto* semi = std::get_if<SemiJoin>(&relation->node)) return visit(semi->left);
    if (const auto* project = std::get_if<Project>(&relation->node)) return visit_project(*relation, *project);
    return {};
  }

  JoinOnce take() { return std::move(found_); }

 private:
  Status add_conjuncts(const ExprPtr& predicate) {
    TACIT_TRY(const ExprPtr expanded, inline_columns(predicate, found_.definitions));
    for (const ExprPtr& conjunct : conjuncts(expanded)) found_.inner_conjuncts.push_back(conjunct);
    return {};
  }

  Status visit_join(const Join& join) {
    TACIT_TRY_STATUS(visit(join.left));
    if (join.kind == JoinKind::left) {
      if (!reads_private(*join.right)) found_.public_parts.push_back({join.right, true});
      return {};
    }
    TACIT_TRY_STATUS(visit(join.right));
    return join.condition ? add_conjuncts(join.condition) : Status{};
  }

  Status visit_project(const Relation& relation, const Project& project) {
    TACIT_TRY_STATUS(visit(project.input));
    for (std::size_t i = 0; i < project.expressions.size(); ++i) {
      TACIT_TRY(ExprPtr definition, inline_columns(project.expressions[i], found_.definitions));
      found_.definitions[relation.columns[i].get()] = std::move(definition);
    }
    return {};
  }

  JoinOnce found_;
};

std::vector<RowTerm> bare_columns(const std::vector<GroupKey>& keys) {
  std::vector<RowTerm> columns;
  for (const GroupKey& key : keys) {
    if (const auto* reference = std::get_if<ColumnRef>(&key.expression->node))
      columns.push_back(reference->column.get());
  }
  return columns;
}

// In how many of the listed groups one person can be: a key that the owner determines has one value for each person.
// Empty where a public table tells only when it is read.
std::optional<std::size_t> count_listed(const UserGroups& groups, const DeterminedTerms& determined) {
  std::size_t count = 1;
  for (const KeyDomain& domain : groups.domains) {
    const auto& keys =
        std::visit([](const auto& part) -> const std::vector<std::size_t>& { return part.keys; }, domain);
    const bool is_determined = std::ranges::all_of(
        keys, [&](std::size_t key) { return determined.contains_all_of(*groups.keys.at(key).expression); });
    if (is_determined) continue;
    const auto* listed = std::get_if<ListedKeys>(&domain);
    if (listed == nullptr) return std::nullopt;
    count *= listed->rows.size();
  }
  return count;
}

void bound_groups(UserGroups& groups, const Ownership& ownership, std::optional<long long> stated) {
  const long long most = stated.value_or(most_tried_groups);
  auto& note = groups.derivation;
  note.rule = "groups of a person";
  const DeterminedTerms determined(ownership.facts, {ownership.owner}, {ownership.owner});
  const bool owner_determines_keys = std::ranges::all_of(
      groups.keys, [&](const GroupKey& key) { return determined.contains_all_of(*key.expression); });
  const auto listed = groups.private_keys ? std::nullopt : count_listed(groups, determined);
  if (owner_determines_keys) {
    note.bound = groups.keys.empty() ? "one: there is no GROUP BY" : "one: the owner determines every key";
  } else if (listed && static_cast<long long>(*listed) <= most) {
    groups.groups_per_user = std::max(1, static_cast<int>(*listed));
    groups.several_groups = groups.groups_per_user > 1;
    note.bound = fmt::format("at most {}: the answer has no more groups for one person", *listed);
  } else {
    groups.groups_per_user = static_cast<int>(std::min<long long>(most, std::numeric_limits<int>::max()));
    groups.samples_groups = true;
    groups.several_groups = true;
    note.bound = fmt::format("at most {}: the others are left out by a keyed hash (max_groups_contributed)", most);
  }
}

}  // namespace

std::size_t count_listed_groups(const std::vector<KeyDomain>& domains) {
  constexpr std::size_t enough = 1'000'000;
  std::size_t count = 1;
  for (const KeyDomain& domain : domains) {
    const auto* listed = std::get_if<ListedKeys>(&domain);
    if (listed == nullptr) return 1;
    count = std::min(enough, count * std::clamp<std::size_t>(listed->rows.size(), 1, enough));
  }
  return count;
}

Status check_leftovers(const QueryOptions& options, bool private_keys) {
  if (!options.leftovers || private_keys) return {};
  const auto given = std::find_if(options.users.begin(), options.users.end(),
                                  [](const auto& option) { return option.first == "leftovers"; });
  return refuse("option leftovers has nothing to gather: every group of this query is shown", "leave it out",
                given == options.users.end() ? 0 : given->second);
}

Result<UserGroups> find_user_groups(const std::vector<GroupKey>& keys, const RelationPtr& input,
                                    const Ownership& ownership, std::optional<long long> most_groups_of_user) {
  UserGroups groups;
  groups.keys = keys;
  if (!keys.empty()) {
    const DeterminedTerms determined(ownership.facts, bare_columns(keys), {});
    if (determined.contains(ownership.owner)) {
      return refuse("GROUP BY puts every person into a group of their own: its keys determine the owner",
                    "group by something that many people share", keys.front().position);
    }
    PublicParts parts;
    TACIT_TRY_STATUS(parts.visit(input));
    auto found = find_group_domains(keys, parts.take());
    groups.private_keys = !found.has_value();
    if (found) {
      groups.keys = std::move(found->keys);
      groups.domains = std::move(found->domains);
      groups.derivation.children.push_back(std::move(found->derivation));
    } else {
      groups.derivation.children.push_back(
          {"groups are private", "chosen among those of the data, at the price of a delta", {}});
    }
  }
  bound_groups(groups, ownership, most_groups_of_user);
  return groups;
}

}  // namespace tacit
