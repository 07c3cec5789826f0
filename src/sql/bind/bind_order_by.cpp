#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/bind_aggregate.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/bind/select_list.hpp"

namespace tacit {
namespace {

tl::unexpected<Failure> refuse_not_selected(int position) {
  return refuse("ORDER BY names something that is not in the SELECT list: only the noisy answer is sorted",
                "add it to the SELECT list, or order by a column that is there", position);
}

Result<std::size_t> find_aggregate(const PgQuery__Node& node, Binding& binding, const Scope& scope,
                                   const std::vector<SelectItem>& items, const std::vector<Aggregate>& aggregates) {
  TACIT_TRY(const auto wanted, bind_aggregate(node, binding, scope));
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto* index = std::get_if<std::size_t>(&items[i].value);
    if (index != nullptr && same_aggregate(aggregates[*index], wanted)) return i;
  }
  return refuse_not_selected(binding.position(node));
}

Result<std::size_t> find_sorted(const PgQuery__Node& node, Binding& binding, const Scope& scope,
                                const std::vector<SelectItem>& items, const std::vector<Aggregate>& aggregates) {
  const int position = binding.position(node);
  if (const auto number = integer_constant(node)) return output_at(*number, items, "ORDER BY", position);
  if (node.node_case == PG_QUERY__NODE__NODE_COLUMN_REF && node.column_ref->n_fields == 1) {
    const auto name = strings_of(node.column_ref->fields, 1);
    TACIT_TRY(const auto output, find_output(name.empty() ? "" : name[0], items, position));
    if (output) return *output;
  }
  if (is_aggregate_call(node)) return find_aggregate(node, binding, scope, items, aggregates);
  TACIT_TRY(const auto wanted, bind_value(node, {binding, scope, Clause::order_by}));
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto* expression = std::get_if<ExprPtr>(&items[i].value);
    if (expression != nullptr && same_expression(**expression, *wanted)) return i;
  }
  return refuse_not_selected(position);
}

}  // namespace

Result<std::vector<SortItem>> bind_order_by(const PgQuery__SelectStmt& select, Binding& binding, const Scope& scope,
                                            const std::vector<SelectItem>& items,
                                            const std::vector<Aggregate>& aggregates) {
  std::vector<SortItem> order;
  for (std::size_t i = 0; i < select.n_sort_clause; ++i) {
    const PgQuery__SortBy& sort = *select.sort_clause[i]->sort_by;
    if (sort.sortby_dir == PG_QUERY__SORT_BY_DIR__SORTBY_USING) {
      return refuse("ORDER BY ... USING is not supported", "write ASC or DESC", binding.position(sort.node));
    }
    SortItem item;
    TACIT_TRY(item.output, find_sorted(*sort.node, binding, scope, items, aggregates));
    item.descending = sort.sortby_dir == PG_QUERY__SORT_BY_DIR__SORTBY_DESC;
    switch (sort.sortby_nulls) {
      case PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_FIRST: item.nulls_first = true; break;
      case PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_LAST: item.nulls_first = false; break;
      default: item.nulls_first = item.descending; break;
    }
    order.push_back(item);
  }
  return order;
}

}  // namespace tacit
