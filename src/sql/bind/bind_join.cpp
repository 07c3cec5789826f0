#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/bind_from.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/coerce.hpp"
#include "sql/parse/tree_walk.hpp"

namespace tacit {
namespace {

Result<JoinKind> kind_of(const PgQuery__JoinExpr& join, int position) {
  if (join.is_natural) {
    return refuse("NATURAL JOIN is not supported: a new column would change the query", "write JOIN ... USING (column)",
                  position);
  }
  const bool unconditional = join.quals == nullptr && join.n_using_clause == 0;
  switch (join.jointype) {
    case PG_QUERY__JOIN_TYPE__JOIN_INNER: return unconditional ? JoinKind::cross : JoinKind::inner;
    case PG_QUERY__JOIN_TYPE__JOIN_LEFT: return JoinKind::left;
    case PG_QUERY__JOIN_TYPE__JOIN_RIGHT:
      return refuse("RIGHT JOIN is not supported", "swap the two sides and write LEFT JOIN", position);
    case PG_QUERY__JOIN_TYPE__JOIN_FULL:
      return refuse("FULL JOIN is not supported", "write INNER JOIN or LEFT JOIN", position);
    default: return refuse("this kind of join is not supported", "write INNER, LEFT or CROSS JOIN", position);
  }
}

}  // namespace

Result<ExprPtr> using_condition(const std::vector<std::string>& names, const Scope& left, const Scope& right,
                                int position) {
  std::vector<ExprPtr> equalities;
  for (const auto& name : names) {
    for (const Scope* side : {&left, &right}) {
      if (!side->has_column(name)) {
        return refuse(
            fmt::format("USING ({}): the {} side has no column {}", name, side == &left ? "left" : "right", name),
            "write JOIN ... ON instead", position);
      }
    }
    TACIT_TRY(auto from_left, left.find({name}, position));
    TACIT_TRY(auto from_right, right.find({name}, position));
    TACIT_TRY(
        auto equal,
        bind_call("=", {make_column(std::move(from_left), position), make_column(std::move(from_right), position)},
                  position));
    equalities.push_back(std::move(equal));
  }
  if (equalities.size() == 1) return equalities[0];
  return bind_call("and", std::move(equalities), position);
}

Result<BoundFrom> bind_join(const PgQuery__JoinExpr& join, const CommonTable* visible, Binding& binding) {
  const int position = binding.position(join.rarg);
  TACIT_TRY(const JoinKind kind, kind_of(join, position));
  if (join.join_using_alias != nullptr) {
    return refuse("USING (...) AS name is not supported", "leave the name out", position);
  }
  TACIT_TRY(auto left, bind_from_item(*join.larg, visible, binding));
  TACIT_TRY(auto right, bind_from_item(*join.rarg, visible, binding));

  const auto merged = strings_of(join.using_clause, join.n_using_clause);
  ExprPtr condition;
  if (!merged.empty()) {
    TACIT_TRY(condition, using_condition(merged, left.scope, right.scope, position));
  }
  TACIT_TRY(Scope scope, Scope::join(left.scope, right.scope, merged, position));
  if (join.quals != nullptr) {
    TACIT_TRY(condition, bind_predicate(*join.quals, {binding, scope, Clause::join_condition}, "JOIN ... ON"));
  }
  std::vector<ColumnPtr> columns = left.relation->columns;
  columns.insert(columns.end(), right.relation->columns.begin(), right.relation->columns.end());
  auto relation = std::make_shared<Relation>(Relation{
      Join{kind, std::move(left.relation), std::move(right.relation), std::move(condition)}, std::move(columns)});
  if (join.alias == nullptr) return BoundFrom{std::move(relation), std::move(scope)};

  ScopeTable renamed = scope.as_table(join.alias->aliasname);
  TACIT_TRY_STATUS(rename_columns(renamed, strings_of(join.alias->colnames, join.alias->n_colnames), position));
  return BoundFrom{std::move(relation), Scope::of_table(std::move(renamed))};
}

}  // namespace tacit
