#include "sql/bind/bind_from.hpp"

#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/bind_where.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/parse/tree_walk.hpp"

namespace tacit {
namespace {

Result<BoundFrom> bind_from_subquery(const PgQuery__RangeSubselect& item, const CommonTable* visible, Binding& binding,
                                     int position) {
  if (item.lateral) {
    return refuse("LATERAL is not supported", "write a subquery that does not look at its neighbours", position);
  }
  if (item.alias == nullptr) {
    return refuse("a subquery in FROM needs a name", "write FROM (SELECT ...) AS name", position);
  }
  return bind_subquery(*item.subquery, item.alias->aliasname, strings_of(item.alias->colnames, item.alias->n_colnames),
                       visible, binding, position);
}

}  // namespace

Result<BoundFrom> bind_from_item(const PgQuery__Node& item, const CommonTable* visible, Binding& binding) {
  const int position = binding.position(item);
  switch (item.node_case) {
    case PG_QUERY__NODE__NODE_RANGE_VAR: return bind_table(*item.range_var, visible, binding);
    case PG_QUERY__NODE__NODE_JOIN_EXPR: return bind_join(*item.join_expr, visible, binding);
    case PG_QUERY__NODE__NODE_RANGE_SUBSELECT:
      return bind_from_subquery(*item.range_subselect, visible, binding, position);
    case PG_QUERY__NODE__NODE_RANGE_TABLE_SAMPLE:
      return refuse("TABLESAMPLE is not supported: its rows change from run to run", "leave it out", position);
    case PG_QUERY__NODE__NODE_RANGE_FUNCTION:
    case PG_QUERY__NODE__NODE_RANGE_TABLE_FUNC:
      return refuse("functions in FROM are not supported", "name tables of the policy in FROM", position);
    default: return refuse("this item of FROM is not supported", "name tables, joins or subqueries in FROM", position);
  }
}

namespace {

// FROM a, b: a cross join. FROM a, b USING (c), a form of other systems: the join on c.
Result<BoundFrom> bind_comma(const BoundFrom& left, const BoundFrom& right, const std::vector<std::string>* merged,
                             int position) {
  std::vector<ColumnPtr> columns = left.relation->columns;
  columns.insert(columns.end(), right.relation->columns.begin(), right.relation->columns.end());
  Join join{JoinKind::cross, left.relation, right.relation, nullptr};
  if (merged != nullptr) {
    join.kind = JoinKind::inner;
    TACIT_TRY(join.condition, using_condition(*merged, left.scope, right.scope, position));
  }
  TACIT_TRY(Scope scope,
            Scope::join(left.scope, right.scope, merged == nullptr ? std::vector<std::string>() : *merged, position));
  return BoundFrom{std::make_shared<Relation>(Relation{std::move(join), std::move(columns)}), std::move(scope)};
}

}  // namespace

Result<BoundFrom> bind_from_list(const PgQuery__SelectStmt& select, const CommonTable* visible, Binding& binding) {
  if (select.n_from_clause == 0) {
    return refuse("the query has no FROM", "name a table of the policy in FROM",
                  binding.position(location_of(select.base)));
  }
  TACIT_TRY(auto bound, bind_from_item(*select.from_clause[0], visible, binding));
  for (std::size_t i = 1; i < select.n_from_clause; ++i) {
    const PgQuery__Node& item = *select.from_clause[i];
    TACIT_TRY(const auto next, bind_from_item(item, visible, binding));
    const auto& comma_using = binding.tree.privacy.comma_using;
    const auto merged = comma_using.find(location_of(item));
    TACIT_TRY(bound,
              bind_comma(bound, next, merged == comma_using.end() ? nullptr : &merged->second, binding.position(item)));
  }
  return bound;
}

Result<BoundFrom> bind_from_and_where(const PgQuery__SelectStmt& select, const CommonTable* visible, Binding& binding) {
  TACIT_TRY(auto bound, bind_from_list(select, visible, binding));
  if (select.where_clause == nullptr) return bound;
  TACIT_TRY(auto where, bind_where(*select.where_clause, bound, nullptr, visible, binding));
  bound.relation = std::move(where.rows);
  return bound;
}

}  // namespace tacit
