#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/bind_from.hpp"
#include "sql/bind/bind_selection.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/bind/project_column.hpp"
#include "sql/bind/refused_clauses.hpp"

namespace tacit {
namespace {

// SELECT DISTINCT: a Group by every column.
RelationPtr distinct_rows(RelationPtr rows) {
  std::vector<ExprPtr> keys;
  std::vector<ColumnPtr> columns;
  for (const ColumnPtr& column : rows->columns) {
    keys.push_back(make_column(column, 0));
    columns.push_back(project_column(keys.back(), column->name));
  }
  return std::make_shared<Relation>(Relation{Group{std::move(rows), std::move(keys), {}}, std::move(columns)});
}

}  // namespace

Result<BoundFrom> bind_subquery(const PgQuery__Node& query, const std::string& name,
                                const std::vector<std::string>& column_names, const CommonTable* visible,
                                Binding& binding, int position) {
  const OpenSubquery open(binding);
  TACIT_TRY_STATUS(open.check_depth(position));
  const PgQuery__SelectStmt& select = *query.select_stmt;
  TACIT_TRY_STATUS(check_subquery_clauses(select, binding));
  TACIT_TRY(const CommonTable* inside, open_with(select.with_clause, visible, binding));
  TACIT_TRY(const auto from, bind_from_and_where(select, inside, binding));
  TACIT_TRY(const auto selection, bind_selection(select, from, nullptr, SelectStar::refused, binding));

  std::vector<ExprPtr> expressions;
  std::vector<ColumnPtr> columns;
  for (std::size_t i = 0; i < selection.items.size(); ++i) {
    const SelectItem& item = selection.items[i];
    const bool renamed = i < column_names.size() && !column_names[i].empty();
    expressions.push_back(std::get<ExprPtr>(item.value));
    columns.push_back(project_column(expressions.back(), renamed ? column_names[i] : item.name));
  }
  if (column_names.size() > columns.size()) {
    return refuse(
        fmt::format("{} has fewer columns ({}) than names are given ({})", name, columns.size(), column_names.size()),
        "give at most one name per column", position);
  }
  TACIT_TRY_STATUS(check_unused(inside, visible, binding));
  RelationPtr relation =
      std::make_shared<Relation>(Relation{Project{selection.rows, std::move(expressions)}, std::move(columns)});
  if (select.n_distinct_clause > 0) relation = distinct_rows(std::move(relation));
  ScopeTable table{"", name, {}};
  for (const ColumnPtr& column : relation->columns) table.columns.push_back({column->name, column, ""});
  return BoundFrom{std::move(relation), Scope::of_table(std::move(table))};
}

}  // namespace tacit
