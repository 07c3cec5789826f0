#include "sql/bind/bind_where.hpp"

#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "sql/coerce.hpp"

namespace tacit {
namespace {

// A condition that is [NOT] EXISTS (...) or x [NOT] IN (SELECT ...).
struct SubqueryCondition {
  const PgQuery__SubLink* link = nullptr;
  bool negated = false;
};

SubqueryCondition subquery_condition(const PgQuery__Node& node) {
  if (node.node_case == PG_QUERY__NODE__NODE_SUB_LINK) {
    const auto type = node.sub_link->sub_link_type;
    const bool is_condition = type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK ||
                              type == PG_QUERY__SUB_LINK_TYPE__ANY_SUBLINK ||
                              type == PG_QUERY__SUB_LINK_TYPE__ALL_SUBLINK;
    return {is_condition ? node.sub_link : nullptr, false};
  }
  if (node.node_case != PG_QUERY__NODE__NODE_BOOL_EXPR ||
      node.bool_expr->boolop != PG_QUERY__BOOL_EXPR_TYPE__NOT_EXPR) {
    return {};
  }
  const SubqueryCondition inside = subquery_condition(*node.bool_expr->args[0]);
  return {inside.link, !inside.negated};
}

void open_conjunction(const PgQuery__Node& node, std::vector<const PgQuery__Node*>& found) {
  if (node.node_case != PG_QUERY__NODE__NODE_BOOL_EXPR ||
      node.bool_expr->boolop != PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR) {
    found.push_back(&node);
    return;
  }
  for (std::size_t i = 0; i < node.bool_expr->n_args; ++i) open_conjunction(*node.bool_expr->args[i], found);
}

bool reads_only(const Expr& expression, const std::vector<ColumnPtr>& columns) {
  const auto read = columns_read(expression);
  return std::all_of(read.begin(), read.end(), [&](const ColumnPtr& column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  });
}

Result<ExprPtr> all_of(std::vector<ExprPtr> predicates) {
  if (predicates.size() == 1) return predicates.front();
  const int position = predicates.front()->position;
  return bind_call("and", std::move(predicates), position);
}

}  // namespace

RelationPtr filter_rows(RelationPtr rows, ExprPtr predicate) {
  auto columns = rows->columns;
  return std::make_shared<Relation>(Relation{Filter{std::move(rows), std::move(predicate)}, std::move(columns)});
}

Result<BoundWhere> bind_where(const PgQuery__Node& where, const BoundFrom& from, const Scope* outer,
                              const CommonTable* visible, Binding& binding) {
  const ExpressionPlace place{binding, from.scope, Clause::where, outer};
  std::vector<const PgQuery__Node*> conditions;
  open_conjunction(where, conditions);
  std::vector<SubqueryCondition> subqueries;
  std::vector<ExprPtr> plain;
  BoundWhere bound{from.relation, {}};
  for (const PgQuery__Node* condition : conditions) {
    if (const auto subquery = subquery_condition(*condition); subquery.link != nullptr) {
      subqueries.push_back(subquery);
      continue;
    }
    TACIT_TRY(auto predicate, bind_predicate(*condition, place, "WHERE"));
    auto& kind = reads_only(*predicate, from.relation->columns) ? plain : bound.correlated;
    kind.push_back(std::move(predicate));
  }
  if (!plain.empty()) {
    TACIT_TRY(auto predicate, all_of(std::move(plain)));
    bound.rows = filter_rows(std::move(bound.rows), std::move(predicate));
  }
  for (const auto& [link, negated] : subqueries) {
    TACIT_TRY(bound.rows, bind_semi_join(*link, negated, std::move(bound.rows), from.scope, visible, binding));
  }
  return bound;
}

}  // namespace tacit
