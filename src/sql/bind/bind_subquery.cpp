#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/bind_from.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/bind/refused_clauses.hpp"

namespace tacit {
namespace {

// A bare column keeps what the owner said about it; a computed one is known by its range alone.
ColumnPtr project_column(const ExprPtr& expression, const std::string& name) {
  Column column;
  if (const auto* reference = std::get_if<ColumnRef>(&expression->node)) {
    column = *reference->column;
  } else {
    column.type = expression->type;
    column.is_private = expression->is_private;
    column.proved = expression->range;
  }
  column.name = name;
  return std::make_shared<Column>(std::move(column));
}

class OpenSubquery {
 public:
  explicit OpenSubquery(BindSession& session) : session_(session) { ++session_.open_subqueries; }
  ~OpenSubquery() { --session_.open_subqueries; }
  OpenSubquery(const OpenSubquery&) = delete;
  OpenSubquery& operator=(const OpenSubquery&) = delete;

 private:
  BindSession& session_;
};

}  // namespace

Result<BoundFrom> bind_subquery(const PgQuery__Node& query, const std::string& name,
                                const std::vector<std::string>& column_names, const CommonTable* visible,
                                BindSession& session, int position) {
  const OpenSubquery open(session);
  if (session.open_subqueries > deepest_subquery) {
    return refuse(fmt::format("subqueries and WITH queries are nested more than {} deep", deepest_subquery),
                  "write the query with fewer levels", position);
  }
  const PgQuery__SelectStmt& select = *query.select_stmt;
  TACIT_TRY_STATUS(check_subquery_clauses(select, session));
  TACIT_TRY(const CommonTable* inside, open_with(select.with_clause, visible, session));
  TACIT_TRY(auto from, bind_from_and_where(select, inside, session));

  const ExpressionPlace place{session, from.scope, Clause::subquery};
  ScopeTable table{"", name, {}};
  std::vector<ExprPtr> expressions;
  std::vector<ColumnPtr> columns;
  for (std::size_t i = 0; i < select.n_target_list; ++i) {
    const PgQuery__ResTarget& target = *select.target_list[i]->res_target;
    TACIT_TRY(auto expression, bind_value(*target.val, place));
    std::string output = *target.name != '\0' ? target.name : output_name(*target.val);
    if (i < column_names.size() && !column_names[i].empty()) output = column_names[i];
    columns.push_back(project_column(expression, output));
    expressions.push_back(std::move(expression));
    table.columns.push_back({output, columns.back(), ""});
  }
  if (column_names.size() > columns.size()) {
    return refuse(fmt::format("{} has {} columns but {} names are given", name, columns.size(), column_names.size()),
                  "give at most one name a column", position);
  }
  TACIT_TRY_STATUS(check_unused(inside, visible, session));
  auto relation = std::make_shared<Relation>(
      Relation{Project{std::move(from.relation), std::move(expressions)}, std::move(columns)});
  return BoundFrom{std::move(relation), Scope::of_table(std::move(table))};
}

}  // namespace tacit
