#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/bind_selection.hpp"
#include "sql/bind/bind_where.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/bind/refused_clauses.hpp"
#include "sql/coerce.hpp"

namespace tacit {
namespace {

// EXISTS, or x = ANY: IN is = ANY, NOT IN is <> ALL. Other comparisons with a subquery are refused.
struct Test {
  const PgQuery__Node* value = nullptr;  // x; null for EXISTS
  bool anti = false;
};

Result<Test> test_of(const PgQuery__SubLink& link, bool negated, int position) {
  if (link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK) return Test{nullptr, negated};
  const auto names = strings_of(link.oper_name, link.n_oper_name);
  const std::string name = names.empty() ? "=" : names.back();
  const bool all = link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__ALL_SUBLINK;
  if (name != (all ? "<>" : "=")) {
    return refuse(fmt::format("x {} {} (SELECT ...) is not supported", name, all ? "ALL" : "ANY"),
                  "write EXISTS (SELECT ... WHERE ...) with the comparison in WHERE", position);
  }
  return Test{link.testexpr, negated != all};
}

// x IN rows is true where x = y for some y. NOT IN is true only where x = y is false for every y: a NULL on either side
// makes it unknown.
struct Side {
  ExprPtr value;
  const Relation& rows;
};

bool never_null(const Side& side) {
  const auto* column = std::get_if<ColumnRef>(&side.value->node);
  return column != nullptr ? never_null(side.rows, *column->column) : never_null(*side.value);
}

Result<ExprPtr> membership(const Side& x, const Side& y, bool anti, int position) {
  TACIT_TRY(auto equal, bind_call("=", {x.value, y.value}, position));
  if (!anti) return equal;
  std::vector<ExprPtr> either{std::move(equal)};
  for (const Side& side : {x, y}) {
    if (never_null(side)) continue;
    TACIT_TRY(auto is_null, bind_call("is null", {side.value}, position));
    either.push_back(std::move(is_null));
  }
  return either.size() == 1 ? either.front() : bind_call("or", std::move(either), position);
}

Result<ExprPtr> compared_value(const BoundSelection& selection, int position) {
  if (selection.items.size() != 1) {
    return refuse(fmt::format("IN (SELECT ...) compares with one column, this SELECT has {}", selection.items.size()),
                  "select one column", position);
  }
  return std::get<ExprPtr>(selection.items.front().value);
}

}  // namespace

Result<RelationPtr> bind_semi_join(const PgQuery__SubLink& link, bool negated, RelationPtr left, const Scope& scope,
                                   const CommonTable* visible, Binding& binding) {
  const int position = binding.position(link.location);
  TACIT_TRY(const Test test, test_of(link, negated, position));
  const OpenSubquery open(binding);
  TACIT_TRY_STATUS(open.check_depth(position));
  const PgQuery__SelectStmt& select = *link.subselect->select_stmt;
  // DISTINCT changes neither whether there is a row nor which values there are.
  TACIT_TRY_STATUS(check_subquery_clauses(select, binding));
  TACIT_TRY(const CommonTable* inside, open_with(select.with_clause, visible, binding));
  TACIT_TRY(auto from, bind_from_list(select, inside, binding));
  std::vector<ExprPtr> conditions;
  if (select.where_clause != nullptr) {
    TACIT_TRY(auto where, bind_where(*select.where_clause, from, &scope, inside, binding));
    from.relation = std::move(where.rows);
    conditions = std::move(where.correlated);
  }
  const auto star = test.value == nullptr ? SelectStar::left_out : SelectStar::refused;
  TACIT_TRY(const auto selection, bind_selection(select, from, &scope, star, binding));
  if (selection.grouped && !conditions.empty()) {
    return refuse("a subquery in WHERE that aggregates and reads columns of the query around it is not supported",
                  "aggregate in a subquery in FROM and join with it", position);
  }
  if (test.value != nullptr) {
    TACIT_TRY(const auto x, bind_value(*test.value, {binding, scope, Clause::where}));
    TACIT_TRY(const auto y, compared_value(selection, position));
    TACIT_TRY(auto equal, membership({x, *left}, {y, *selection.rows}, test.anti, position));
    conditions.push_back(std::move(equal));
  }
  TACIT_TRY_STATUS(check_unused(inside, visible, binding));
  ExprPtr condition = conditions.empty() ? boolean_literal(true, position) : conditions.front();
  if (conditions.size() > 1) {
    TACIT_TRY(condition, bind_call("and", std::move(conditions), position));
  }
  auto columns = left->columns;
  SemiJoin semi{std::move(left), selection.rows, std::move(condition), test.anti};
  return RelationPtr(std::make_shared<Relation>(Relation{std::move(semi), std::move(columns)}));
}

}  // namespace tacit
