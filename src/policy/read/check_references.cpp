#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/nearest_name.hpp"
#include "metric/identifier.hpp"
#include "policy/read/sections.hpp"

namespace tacit {
namespace {

using TableIndex = std::map<TableName, const TablePolicy*>;

const OwnerThrough* owner_through(const TablePolicy& table) {
  const auto* users = std::get_if<UsersTable>(&table.model);
  return users ? std::get_if<OwnerThrough>(&users->owner) : nullptr;
}

// Preconditions of an ownership chain (docs/theory/users.md, "Ownership"):
//   1. every referenced table is in the policy;
//   2. it is a users table itself;
//   3. it declares the primary key that the columns lead to, of as many columns;
//   4. the chain ends at a table with an owner column: it has no cycle.
class OwnershipCheck {
 public:
  OwnershipCheck(const Policy& policy, const TableIndex& index, Complaints& complaints)
      : policy_(policy), index_(index), complaints_(complaints) {}

  void check(const TablePolicy& table) {
    const OwnerThrough* through = owner_through(table);
    if (!through) return;
    const auto found = index_.find(through->references);
    if (found == index_.end()) {
      std::vector<std::string> names;
      for (const auto& [name, known] : index_) names.push_back(to_string(name));
      const std::string name = to_string(through->references);
      complain(table, "references", fmt::format("table {} is not in the policy{}", name, did_you_mean(name, names)),
               "describe it in the policy, with an owner");
      return;
    }
    const TablePolicy& owner = *found->second;
    if (!std::holds_alternative<UsersTable>(owner.model)) {
      complain(table, "references", fmt::format("table {} has no owner", to_string(owner.name)),
               "refer to a table with `owner` or `owner_through`");
    } else if (owner.primary_key.empty()) {
      complain(table, "references", fmt::format("table {} declares no primary_key", to_string(owner.name)),
               "declare it: only a unique key leads to one owner");
    } else if (owner.primary_key.size() != through->columns.size()) {
      complain(table, "columns",
               fmt::format("{} column(s) lead to the primary key of {}, which has {}", through->columns.size(),
                           to_string(owner.name), owner.primary_key.size()),
               "name one column for each column of that key, in its order");
    } else if (leads_back(table)) {
      complain(table, "references", "the ownership chain leads back to itself",
               "let it end at a table with an owner column: owner = \"...\"");
    }
  }

 private:
  bool leads_back(const TablePolicy& start) {
    std::vector<const TablePolicy*> walked;
    const TablePolicy* at = &start;
    while (!ends_.contains(at)) {
      if (walked.size() > index_.size()) return true;
      walked.push_back(at);
      const OwnerThrough* through = owner_through(*at);
      const auto next = through ? index_.find(through->references) : index_.end();
      if (next == index_.end()) break;
      at = next->second;
    }
    ends_.insert(walked.begin(), walked.end());
    return false;
  }

  void complain(const TablePolicy& table, const char* key, const std::string& what, std::string hint) {
    const PolicyPlace place = policy_.place_of(fmt::format("{}.owner_through.{}", table.place.key, key));
    complaints_.add({place.line, 0}, place.key, what, std::move(hint));
  }

  const Policy& policy_;
  const TableIndex& index_;
  Complaints& complaints_;
  std::set<const TablePolicy*> ends_;  // tables whose chain is known to end
};

// A section that no table of the policy can use.
template <class Model>
void check_section_is_used(const Policy& policy, const std::string& name, const char* what, const char* hint,
                           Complaints& complaints) {
  const bool used = std::any_of(policy.tables.begin(), policy.tables.end(),
                                [](const TablePolicy& table) { return std::holds_alternative<Model>(table.model); });
  const auto key = policy.key_lines.upper_bound(name + ".");
  if (used || key == policy.key_lines.end() || !key->first.starts_with(name + ".")) return;
  complaints.add({policy.place_of(name).line, 0}, name, what, hint);
}

}  // namespace

void check_references(const Policy& policy, Complaints& complaints) {
  check_section_is_used<UsersTable>(policy, "users", "no table of the policy has an owner, so nothing here is used",
                                    "take the section out, or give a table `owner` or `owner_through`", complaints);
  check_section_is_used<MetricTable>(policy, "metric", "no table of the policy has a metric, so nothing here is used",
                                     "take the section out, or give a table a metric", complaints);
  TableIndex index;
  for (const auto& table : policy.tables) index.emplace(table.name, &table);
  OwnershipCheck ownership(policy, index, complaints);
  for (const auto& table : policy.tables) ownership.check(table);
}

}  // namespace tacit
