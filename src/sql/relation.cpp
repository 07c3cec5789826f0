#include "sql/relation.hpp"

#include <algorithm>

#include "base/work_limit.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

void collect(const Relation& relation, std::vector<const Relation*>& scans) {
  count_work();
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

bool has_column(const Relation& relation, const Column& column) {
  count_work(1 + relation.columns.size() / 16);
  return std::any_of(relation.columns.begin(), relation.columns.end(),
                     [&](const ColumnPtr& candidate) { return candidate.get() == &column; });
}

// Empty for anything but a bare column.
const Column* bare_column(const Expr& expression) {
  const auto* reference = std::get_if<ColumnRef>(&expression.node);
  return reference == nullptr ? nullptr : reference->column.get();
}

bool demands_value(const ExprPtr& predicate, const Column& column) {
  const auto all = conjuncts(predicate);
  return std::any_of(all.begin(), all.end(), [&](const ExprPtr& conjunct) {
    const Call* call = call_meaning(*conjunct, Meaning::is_not_null);
    return call != nullptr && bare_column(*call->args[0]) == &column;
  });
}

// `inner[i]` computes relation.columns[i].
bool never_null_below(const Relation& relation, const std::vector<ExprPtr>& inner, const Relation& input,
                      const Column& column) {
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (relation.columns[i].get() != &column) continue;
    const Column* source = bare_column(*inner[i]);
    return source != nullptr && never_null(input, *source);
  }
  return false;
}

}  // namespace

bool never_null(const Relation& relation, const Column& column) {
  if (!has_column(relation, column)) return false;
  if (const auto* scan = std::get_if<Scan>(&relation.node)) {
    return std::find(scan->not_null.begin(), scan->not_null.end(), column.name) != scan->not_null.end();
  }
  if (const auto* filter = std::get_if<Filter>(&relation.node)) {
    return demands_value(filter->predicate, column) || never_null(*filter->input, column);
  }
  if (const auto* project = std::get_if<Project>(&relation.node)) {
    return never_null_below(relation, project->expressions, *project->input, column);
  }
  if (const auto* group = std::get_if<Group>(&relation.node)) {
    return never_null_below(relation, group->keys, *group->input, column);
  }
  if (const auto* join = std::get_if<Join>(&relation.node)) {
    // A LEFT JOIN fills the right side up with NULL.
    return never_null(*join->left, column) || (join->kind != JoinKind::left && never_null(*join->right, column));
  }
  return never_null(*std::get<SemiJoin>(relation.node).left, column);
}

const char* nested_clause(const Relation& relation) {
  count_work();
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
