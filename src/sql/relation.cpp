#include "sql/relation.hpp"

namespace tacit {
namespace {

void collect(const Relation& relation, std::vector<const Relation*>& scans) {
  if (std::holds_alternative<Scan>(relation.node)) scans.push_back(&relation);
  if (const auto* join = std::get_if<Join>(&relation.node)) {
    collect(*join->left, scans);
    collect(*join->right, scans);
  }
  if (const auto* filter = std::get_if<Filter>(&relation.node)) collect(*filter->input, scans);
  if (const auto* project = std::get_if<Project>(&relation.node)) collect(*project->input, scans);
  if (const auto* group = std::get_if<Group>(&relation.node)) collect(*group->input, scans);
  if (const auto* semi = std::get_if<SemiJoin>(&relation.node)) {
    collect(*semi->left, scans);
    collect(*semi->right, scans);
  }
}

}  // namespace

const char* nested_clause(const Relation& relation) {
  const auto either = [](const Relation& left, const Relation& right) {
    const char* found = nested_clause(left);
    return found != nullptr ? found : nested_clause(right);
  };
  if (std::holds_alternative<Group>(relation.node)) return "GROUP BY or DISTINCT in a subquery";
  if (std::holds_alternative<SemiJoin>(relation.node)) return "a subquery in WHERE (EXISTS, IN)";
  if (const auto* join = std::get_if<Join>(&relation.node)) return either(*join->left, *join->right);
  if (const auto* filter = std::get_if<Filter>(&relation.node)) return nested_clause(*filter->input);
  if (const auto* project = std::get_if<Project>(&relation.node)) return nested_clause(*project->input);
  return nullptr;
}

std::vector<const Relation*> scans_of(const Relation& relation) {
  std::vector<const Relation*> scans;
  collect(relation, scans);
  return scans;
}

}  // namespace tacit
