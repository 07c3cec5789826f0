#include "sql/bind/sensitive_rows.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/bind_expression.hpp"
#include "sql/parse/parse_tree.hpp"

namespace tacit {
namespace {

tl::unexpected<Failure> wrong(const TablePolicy& table, const std::string& why) {
  return fail({FailureCode::usage, fmt::format("sensitive_rows of {} {}", to_string(table.name), why),
               table.place.key + ".sensitive_rows", "write a condition over the table's public columns"});
}

}  // namespace

Result<ExprPtr> bind_sensitive_rows(const TablePolicy& table, const ScopeTable& columns, Binding& binding) {
  const auto* metric = std::get_if<MetricTable>(&table.model);
  if (metric == nullptr || !metric->sensitive_rows) return ExprPtr();
  auto tree = parse_sql(fmt::format("SELECT 1 WHERE ({})", *metric->sensitive_rows));
  if (!tree) return wrong(table, "is not a condition: " + tree.error().what);
  const PgQuery__Node& statement = tree->impl().statement();
  if (statement.node_case != PG_QUERY__NODE__NODE_SELECT_STMT || statement.select_stmt->where_clause == nullptr) {
    return wrong(table, "is not a condition");
  }
  Binding own{tree->impl(), binding.catalog, binding.policy};
  const Scope scope = Scope::of_table(columns);
  auto predicate = bind_predicate(*statement.select_stmt->where_clause, {own, scope, Clause::where}, "sensitive_rows");
  if (!predicate) return wrong(table, "cannot be used: " + predicate.error().what);
  if ((*predicate)->is_private) return wrong(table, "reads a private column");
  return *predicate;
}

}  // namespace tacit
