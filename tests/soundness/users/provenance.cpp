#include "soundness/users/provenance.hpp"

#include "soundness/users/world.hpp"
#include "sql/plain_aggregate.hpp"

namespace tacit::soundness::users {
namespace {

using std::make_shared;

Traced trace_scan(const RelationPtr& relation) {
  Traced traced{relation, {}};
  for (const ColumnPtr& column : relation->columns)
    if (column->name == true_owner) traced.owners.push_back(column);
  return traced;
}

Traced trace_join(const Join& join) {
  const Traced left = with_true_owners(join.left);
  const Traced right = with_true_owners(join.right);
  auto columns = left.relation->columns;
  columns.insert(columns.end(), right.relation->columns.begin(), right.relation->columns.end());
  Traced traced{
      make_shared<Relation>(Relation{Join{join.kind, left.relation, right.relation, join.condition}, columns}),
      left.owners};
  traced.owners.insert(traced.owners.end(), right.owners.begin(), right.owners.end());
  return traced;
}

Traced trace_project(const Relation& relation, const Project& project) {
  const Traced input = with_true_owners(project.input);
  auto expressions = project.expressions;
  auto columns = relation.columns;
  Traced traced;
  for (const ColumnPtr& owner : input.owners) {
    expressions.push_back(make_column(owner, 0));
    columns.push_back(make_shared<tacit::Column>(*owner));
    traced.owners.push_back(columns.back());
  }
  traced.relation =
      make_shared<Relation>(Relation{Project{input.relation, std::move(expressions)}, std::move(columns)});
  return traced;
}

Traced trace_group(const Relation& relation, const tacit::Group& group) {
  const Traced input = with_true_owners(group.input);
  auto aggregates = group.aggregates;
  auto columns = relation.columns;
  Traced traced;
  for (const ColumnPtr& owner : input.owners) {
    for (const AggregateKind kind : {AggregateKind::minimum, AggregateKind::maximum}) {
      aggregates.push_back({kind, make_column(owner, 0)});
      columns.push_back(plain_aggregate_column(aggregates.back(), true_owner, true));
      traced.owners.push_back(columns.back());
    }
  }
  traced.relation = make_shared<Relation>(
      Relation{tacit::Group{input.relation, group.keys, std::move(aggregates)}, std::move(columns)});
  return traced;
}

}  // namespace

Traced with_true_owners(const RelationPtr& relation) {
  if (std::holds_alternative<Scan>(relation->node)) return trace_scan(relation);
  if (const auto* join = std::get_if<Join>(&relation->node)) return trace_join(*join);
  if (const auto* project = std::get_if<Project>(&relation->node)) return trace_project(*relation, *project);
  if (const auto* group = std::get_if<tacit::Group>(&relation->node)) return trace_group(*relation, *group);
  if (const auto* filter = std::get_if<Filter>(&relation->node)) {
    Traced traced = with_true_owners(filter->input);
    const auto& columns = traced.relation->columns;
    traced.relation = make_shared<Relation>(Relation{Filter{traced.relation, filter->predicate}, columns});
    return traced;
  }
  const auto& semi = std::get<SemiJoin>(relation->node);
  Traced traced = with_true_owners(semi.left);
  const auto& columns = traced.relation->columns;
  traced.relation =
      make_shared<Relation>(Relation{SemiJoin{traced.relation, semi.right, semi.condition, semi.anti}, columns});
  return traced;
}

}  // namespace tacit::soundness::users
