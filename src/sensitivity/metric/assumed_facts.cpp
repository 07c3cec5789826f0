#include "sensitivity/metric/assumed_facts.hpp"

#include <algorithm>

namespace tacit {
namespace {

constexpr std::size_t most_tried = 8;  // each costs a search; of more facts all are looked up

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

const ColumnPtr* find_column(const Relation& scan, const std::string& name) {
  const auto found = std::ranges::find_if(scan.columns, [&](const ColumnPtr& column) { return column->name == name; });
  return found == scan.columns.end() ? nullptr : &*found;
}

// Those with a column of a type no query can use bound nothing.
bool can_be_read(const std::vector<std::string>& names, const Relation& scan) {
  return std::ranges::all_of(names, [&](const std::string& name) { return find_column(scan, name) != nullptr; });
}

// The engine keeps the columns from repeating and from being NULL, as they are read.
bool is_enforced(const std::vector<std::string>& columns, const Relation& relation) {
  const auto& scan = std::get<Scan>(relation.node);
  const bool as_stored = std::ranges::all_of(columns, [&](const std::string& name) {
    const Column& column = **find_column(relation, name);
    return contains(scan.not_null, name) && (column.read_as.empty() || !column.type.is_number());
  });
  return as_stored && std::ranges::any_of(scan.enforced_keys, [&](const auto& key) {
           return std::ranges::all_of(key, [&](const std::string& name) { return contains(columns, name); });
         });
}

struct Candidate {
  DeclaredFact fact;
  RelationPtr scan;
};

std::vector<Candidate> unenforced_facts(const FlatQuery& query) {
  std::vector<Candidate> found;
  const auto add = [&](const DeclaredFact& fact, const RelationPtr& scan) {
    const auto is_same = [&](const Candidate& other) { return other.fact == fact; };
    if (std::ranges::none_of(found, is_same)) found.push_back({fact, scan});
  };
  for (const Role& role : query.roles) {
    if (!role.table->is_public()) continue;
    const auto& key = role.table->primary_key;
    if (!key.empty() && can_be_read(key, *role.scan) && !is_enforced(key, *role.scan)) add({role.table}, role.scan);
    for (const Dependency& dependency : role.table->dependencies) {
      if (!can_be_read(dependency.from, *role.scan) || !can_be_read(dependency.to, *role.scan)) continue;
      if (!is_enforced(dependency.from, *role.scan)) add({role.table, &dependency}, role.scan);
    }
  }
  return found;
}

// Every number that an analysis takes from the shape.
std::vector<std::optional<long long>> bounds_of(const FlatQuery& query) {
  std::vector<const Column*> grouped;
  for (const auto& key : query.keys) {
    for (const auto& column : columns_read(*key.expression)) grouped.push_back(column.get());
  }
  std::vector<std::optional<long long>> bounds;
  for (std::size_t role = 0; role < query.roles.size(); ++role) {
    if (!query.roles[role].metric) continue;
    bounds.push_back(join_rows_per_row(query.shape, role));
    if (!grouped.empty()) bounds.push_back(combinations_per_row(query.shape, role, grouped));
  }
  return bounds;
}

}  // namespace

AssumedFacts settle_public_facts(FlatQuery& query) {
  const auto candidates = unenforced_facts(query);
  AssumedFacts assumed;
  if (candidates.empty()) return assumed;
  const auto wanted = bounds_of(query);
  for (const auto& [fact, scan] : candidates) {
    if (candidates.size() <= most_tried) {
      query.shape.unused.push_back(fact);
      if (bounds_of(query) == wanted) continue;
      query.shape.unused.pop_back();
    }
    if (fact.dependency != nullptr) {
      assumed.dependencies.push_back({scan, fact.dependency});
    } else {
      assumed.keys.push_back({scan, fact.table->primary_key, true});
    }
  }
  return assumed;
}

}  // namespace tacit
