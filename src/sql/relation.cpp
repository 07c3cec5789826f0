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
}

}  // namespace

std::vector<const Relation*> scans_of(const Relation& relation) {
  std::vector<const Relation*> scans;
  collect(relation, scans);
  return scans;
}

}  // namespace tacit
