#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "sql/bind/bind_aggregate.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/bind/select_list.hpp"

namespace tacit {
namespace {

Result<ExprPtr> key_of_item(const SelectItem& item, int position) {
  if (const auto* expression = std::get_if<ExprPtr>(&item.value)) return *expression;
  return refuse(fmt::format("{} is an aggregate and cannot be a group key", item.name), "group by columns", position);
}

std::string bare_name(const PgQuery__Node& node) {
  if (node.node_case != PG_QUERY__NODE__NODE_COLUMN_REF || node.column_ref->n_fields != 1) return "";
  return strings_of(node.column_ref->fields, 1).front();
}

Result<ExprPtr> bind_key(const PgQuery__Node& node, Binding& binding, const Scope& scope,
                         const std::vector<SelectItem>& items) {
  const int position = binding.position(node);
  if (node.node_case == PG_QUERY__NODE__NODE_GROUPING_SET) {
    return refuse("GROUPING SETS, ROLLUP and CUBE are not supported", "ask each grouping as a query of its own",
                  position);
  }
  if (node.node_case == PG_QUERY__NODE__NODE_ROW_EXPR) {
    return refuse("GROUP BY (a, b) is not supported", "write GROUP BY a, b", position);
  }
  if (const auto number = integer_constant(node)) {
    TACIT_TRY(const std::size_t index, output_at(*number, items, "GROUP BY", position));
    return key_of_item(items[index], position);
  }
  if (const std::string name = bare_name(node); !name.empty() && !scope.has_column(name)) {
    TACIT_TRY(const auto output, find_output(name, items, position));
    if (output) return key_of_item(items[*output], position);
  }
  return bind_value(node, {binding, scope, Clause::group_by});
}

}  // namespace

Result<std::vector<GroupKey>> bind_group_by(const PgQuery__SelectStmt& select, Binding& binding, const Scope& scope,
                                            const std::vector<SelectItem>& items) {
  if (select.group_distinct) return refuse("GROUP BY DISTINCT is not supported", "leave DISTINCT out");
  std::vector<GroupKey> keys;
  for (std::size_t i = 0; i < select.n_group_clause; ++i) {
    const PgQuery__Node& node = *select.group_clause[i];
    const int position = binding.position(node);
    TACIT_TRY(auto key, bind_key(node, binding, scope, items));
    if (columns_read(*key).empty()) {
      return refuse("a constant cannot be a group key", "group by columns, or leave GROUP BY out", position);
    }
    const bool known = std::any_of(keys.begin(), keys.end(),
                                   [&](const GroupKey& other) { return same_expression(*other.expression, *key); });
    if (!known) keys.push_back({std::move(key), position});
  }
  return keys;
}

}  // namespace tacit
