#include "sensitivity/groups/public_key.hpp"

#include <algorithm>

namespace tacit {
namespace {

constexpr std::size_t most_keys = 16;  // of a join: enough for any schema, and no explosion

bool enforced(const std::vector<std::string>& key, const Scan& scan) {
  return std::any_of(scan.enforced_keys.begin(), scan.enforced_keys.end(), [&](const auto& unique) {
    return std::all_of(unique.begin(), unique.end(),
                       [&](const auto& column) { return std::find(key.begin(), key.end(), column) != key.end(); });
  });
}

std::vector<PublicKey> keys_of_scan(const RelationPtr& relation, const Scan& scan) {
  std::vector<std::vector<std::string>> names = scan.enforced_keys;
  if (!scan.table->primary_key.empty()) names.push_back(scan.table->primary_key);

  std::vector<PublicKey> keys;
  for (const auto& name_list : names) {
    PublicKey key;
    for (const auto& name : name_list) {
      const auto found = std::find_if(relation->columns.begin(), relation->columns.end(),
                                      [&](const ColumnPtr& column) { return column->name == name; });
      if (found != relation->columns.end()) key.columns.push_back(found->get());
    }
    if (key.columns.size() != name_list.size()) continue;  // a key column of a type no query can use
    if (!enforced(name_list, scan)) key.assumed.push_back({relation, name_list});
    keys.push_back(std::move(key));
  }
  return keys;
}

std::vector<PublicKey> keys_of_project(const RelationPtr& relation, const Project& project) {
  std::vector<PublicKey> keys;
  for (const auto& inner : public_keys(project.input)) {
    PublicKey key{{}, inner.assumed};
    for (const Column* column : inner.columns) {
      for (std::size_t i = 0; i < project.expressions.size(); ++i) {
        const auto* ref = std::get_if<ColumnRef>(&project.expressions[i]->node);
        if (!ref || ref->column.get() != column) continue;
        key.columns.push_back(relation->columns[i].get());
        break;
      }
    }
    if (key.columns.size() == inner.columns.size()) keys.push_back(std::move(key));
  }
  return keys;
}

std::vector<PublicKey> keys_of_join(const Join& join) {
  std::vector<PublicKey> keys;
  const auto right_keys = public_keys(join.right);
  for (const auto& left : public_keys(join.left)) {
    for (const auto& right : right_keys) {
      if (keys.size() == most_keys) return keys;
      PublicKey key = left;
      key.columns.insert(key.columns.end(), right.columns.begin(), right.columns.end());
      key.assumed.insert(key.assumed.end(), right.assumed.begin(), right.assumed.end());
      keys.push_back(std::move(key));
    }
  }
  return keys;
}

}  // namespace

std::vector<PublicKey> public_keys(const RelationPtr& relation) {
  if (const auto* scan = std::get_if<Scan>(&relation->node)) return keys_of_scan(relation, *scan);
  if (const auto* filter = std::get_if<Filter>(&relation->node)) return public_keys(filter->input);
  if (const auto* project = std::get_if<Project>(&relation->node)) return keys_of_project(relation, *project);
  return keys_of_join(std::get<Join>(relation->node));
}

}  // namespace tacit
