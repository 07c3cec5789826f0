#include "sql/bind.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/bind_from.hpp"
#include "sql/bind/bind_options.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/bind/refused_clauses.hpp"
#include "sql/bind/select_list.hpp"

namespace tacit {
namespace {

constexpr const char* explain_hint = "write EXPLAIN (PRIVACY) SELECT ...";

// The statement inside EXPLAIN (PRIVACY).
Result<const PgQuery__Node*> open_explain(const PgQuery__ExplainStmt& explain, const Binding& binding) {
  if (explain.n_options == 0) {
    return refuse("EXPLAIN alone is not supported: the engine's plan may show private values", explain_hint,
                  binding.start());
  }
  for (std::size_t i = 0; i < explain.n_options; ++i) {
    const PgQuery__DefElem& option = *explain.options[i]->def_elem;
    if (std::string_view(option.defname) != "privacy" || option.arg != nullptr) {
      return refuse(fmt::format("EXPLAIN with {} is not supported", option.defname), explain_hint,
                    binding.position(option.location));
    }
  }
  return explain.query;
}

// LIMIT or OFFSET; empty for LIMIT ALL and LIMIT NULL.
Result<std::optional<std::size_t>> row_count(const PgQuery__Node* node, const char* clause, const Binding& binding) {
  if (node == nullptr || (node->node_case == PG_QUERY__NODE__NODE_A_CONST && node->a_const->isnull)) {
    return std::optional<std::size_t>();
  }
  const auto count = integer_constant(*node);
  if (!count || *count < 0) {
    return refuse(fmt::format("{} needs a whole number that is not negative", clause),
                  fmt::format("write {} 10", clause), binding.position(*node));
  }
  return std::optional<std::size_t>(static_cast<std::size_t>(*count));
}

Result<TypedQuery> bind_select(const PgQuery__SelectStmt& select, Binding& binding) {
  TACIT_TRY_STATUS(check_query_clauses(select, binding));
  if (select.limit_option == PG_QUERY__LIMIT_OPTION__LIMIT_OPTION_WITH_TIES) {
    return refuse("WITH TIES is not supported", "write LIMIT", binding.position(select.limit_count));
  }
  TypedQuery query;
  TACIT_TRY(query.options, bind_options(binding.tree.privacy.options));
  TACIT_TRY(const CommonTable* with, open_with(select.with_clause, nullptr, binding));
  TACIT_TRY(const BoundFrom from, bind_from_and_where(select, with, binding));
  query.input = from.relation;
  TACIT_TRY(const auto items, bind_select_list(select, binding, from.scope, query.aggregates));
  TACIT_TRY(query.keys, bind_group_by(select, binding, from.scope, items));
  TACIT_TRY(query.outputs, make_outputs(items, query.keys, query.aggregates));
  if (query.aggregates.empty()) {
    return refuse("the query has no aggregate: rows are never shown as they are",
                  "select COUNT, SUM or AVG, with GROUP BY for the columns beside them", items.front().position);
  }
  TACIT_TRY(query.order_by, bind_order_by(select, binding, from.scope, items, query.aggregates));
  TACIT_TRY(query.limit, row_count(select.limit_count, "LIMIT", binding));
  TACIT_TRY(const auto offset, row_count(select.limit_offset, "OFFSET", binding));
  query.offset = offset.value_or(0);
  TACIT_TRY_STATUS(check_unused(with, nullptr, binding));
  return query;
}

}  // namespace

Result<TypedQuery> bind_query(const ParseTree& tree, const Catalog& catalog, const Policy& policy) {
  Binding binding{tree.impl(), catalog, policy};
  const PgQuery__Node* statement = &tree.impl().statement();
  const bool explain = statement->node_case == PG_QUERY__NODE__NODE_EXPLAIN_STMT;
  if (explain) {
    TACIT_TRY(statement, open_explain(*statement->explain_stmt, binding));
  }
  if (statement->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) return refuse_statement(*statement, binding);
  TACIT_TRY(auto query, bind_select(*statement->select_stmt, binding));
  query.explain = explain;
  query.text = tree.impl().text;
  return query;
}

}  // namespace tacit
