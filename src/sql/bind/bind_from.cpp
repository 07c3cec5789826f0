#include "sql/bind/bind_from.hpp"

#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/node_text.hpp"
#include "sql/parse/tree_walk.hpp"

namespace tacit {
namespace {

RelationPtr cross_join(RelationPtr left, RelationPtr right) {
  std::vector<ColumnPtr> columns = left->columns;
  columns.insert(columns.end(), right->columns.begin(), right->columns.end());
  return std::make_shared<Relation>(
      Relation{Join{JoinKind::cross, std::move(left), std::move(right), nullptr}, std::move(columns)});
}

Result<BoundFrom> bind_from_subquery(const PgQuery__RangeSubselect& item, const CommonTable* visible,
                                     BindSession& session, int position) {
  if (item.lateral) {
    return refuse("LATERAL is not answered", "write a subquery that does not look at its neighbours", position);
  }
  if (item.alias == nullptr) {
    return refuse("a subquery in FROM needs a name", "write FROM (SELECT ...) AS name", position);
  }
  return bind_subquery(*item.subquery, item.alias->aliasname, strings_of(item.alias->colnames, item.alias->n_colnames),
                       visible, session, position);
}

}  // namespace

Result<BoundFrom> bind_from_item(const PgQuery__Node& item, const CommonTable* visible, BindSession& session) {
  const int position = session.position(item);
  switch (item.node_case) {
    case PG_QUERY__NODE__NODE_RANGE_VAR: return bind_table(*item.range_var, visible, session);
    case PG_QUERY__NODE__NODE_JOIN_EXPR: return bind_join(*item.join_expr, visible, session);
    case PG_QUERY__NODE__NODE_RANGE_SUBSELECT:
      return bind_from_subquery(*item.range_subselect, visible, session, position);
    case PG_QUERY__NODE__NODE_RANGE_TABLE_SAMPLE:
      return refuse("TABLESAMPLE is not answered: its rows change from run to run", "leave it out", position);
    case PG_QUERY__NODE__NODE_RANGE_FUNCTION:
    case PG_QUERY__NODE__NODE_RANGE_TABLE_FUNC:
      return refuse("functions in FROM are not answered", "name tables of the policy in FROM", position);
    default: return refuse("this item of FROM is not answered", "name tables, joins or subqueries in FROM", position);
  }
}

Result<BoundFrom> bind_from_and_where(const PgQuery__SelectStmt& select, const CommonTable* visible,
                                      BindSession& session) {
  if (select.n_from_clause == 0) {
    return refuse("the query has no FROM", "name a table of the policy in FROM",
                  session.position(location_of(select.base)));
  }
  TACIT_TRY(auto bound, bind_from_item(*select.from_clause[0], visible, session));
  for (std::size_t i = 1; i < select.n_from_clause; ++i) {
    TACIT_TRY(auto next, bind_from_item(*select.from_clause[i], visible, session));
    TACIT_TRY(bound.scope, Scope::join(bound.scope, next.scope, {}, session.position(*select.from_clause[i])));
    bound.relation = cross_join(std::move(bound.relation), std::move(next.relation));
  }
  if (select.where_clause != nullptr) {
    const ExpressionPlace place{session, bound.scope, Clause::where};
    TACIT_TRY(auto predicate, bind_predicate(*select.where_clause, place, "WHERE"));
    auto columns = bound.relation->columns;
    bound.relation = std::make_shared<Relation>(
        Relation{Filter{std::move(bound.relation), std::move(predicate)}, std::move(columns)});
  }
  return bound;
}

}  // namespace tacit
