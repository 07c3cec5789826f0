#include "sql/bind/bind_selection.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "sql/bind/bind_where.hpp"
#include "sql/bind/inner_aggregates.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/bind/over_groups.hpp"
#include "sql/bind/project_column.hpp"

namespace tacit {
namespace {

bool is_star(const PgQuery__Node& node) {
  if (node.node_case != PG_QUERY__NODE__NODE_COLUMN_REF) return false;
  const auto path = strings_of(node.column_ref->fields, node.column_ref->n_fields);
  return !path.empty() && path.back() == "*";
}

bool reads_private_table(const Relation& relation) {
  const auto scans = scans_of(relation);
  return std::any_of(scans.begin(), scans.end(),
                     [](const Relation* scan) { return !std::get<Scan>(scan->node).table->is_public(); });
}

Result<std::vector<SelectItem>> bind_items(const PgQuery__SelectStmt& select, const ExpressionPlace& place,
                                           SelectStar star) {
  std::vector<SelectItem> items;
  for (std::size_t i = 0; i < select.n_target_list; ++i) {
    const PgQuery__ResTarget& target = *select.target_list[i]->res_target;
    if (star == SelectStar::left_out && is_star(*target.val)) continue;
    TACIT_TRY(auto expression, bind_value(*target.val, place));
    items.push_back({*target.name != '\0' ? target.name : output_name(*target.val), place.binding.position(*target.val),
                     std::move(expression)});
  }
  return items;
}

// GROUP BY 2 or GROUP BY name may lead to a column of the SELECT list that aggregates.
Status check_keys(const std::vector<GroupKey>& keys, const InnerAggregates& aggregates) {
  for (const GroupKey& key : keys) {
    for (const ColumnPtr& read : columns_read(*key.expression)) {
      const auto& columns = aggregates.columns();
      if (std::find(columns.begin(), columns.end(), read) != columns.end()) {
        return refuse(fmt::format("{} is an aggregate and cannot be a group key", read->name), "group by columns",
                      key.position);
      }
    }
  }
  return {};
}

}  // namespace

Result<BoundSelection> bind_selection(const PgQuery__SelectStmt& select, const BoundFrom& from, const Scope* outer,
                                      SelectStar star, Binding& binding) {
  InnerAggregates aggregates(from.scope, reads_private_table(*from.relation));
  const ExpressionPlace place{binding, from.scope, Clause::subquery, outer, &aggregates};
  BoundSelection bound{from.relation, false, {}};
  TACIT_TRY(bound.items, bind_items(select, place, star));
  ExprPtr having;
  if (select.having_clause != nullptr) {
    TACIT_TRY(having, bind_predicate(*select.having_clause, place, "HAVING"));
  }
  GroupColumns group;
  TACIT_TRY(group.keys, bind_group_by(select, binding, from.scope, bound.items));
  bound.grouped = !group.keys.empty() || having || !aggregates.aggregates().empty();
  if (!bound.grouped) return bound;

  TACIT_TRY_STATUS(check_keys(group.keys, aggregates));
  Group node{from.relation, {}, aggregates.aggregates()};
  for (const GroupKey& key : group.keys) {
    node.keys.push_back(key.expression);
    const auto* column = std::get_if<ColumnRef>(&key.expression->node);
    group.columns.push_back(project_column(key.expression, column == nullptr ? "" : column->column->name));
  }
  group.columns.insert(group.columns.end(), aggregates.columns().begin(), aggregates.columns().end());
  bound.rows = std::make_shared<Relation>(Relation{std::move(node), group.columns});
  if (having) {
    TACIT_TRY(having, over_groups(having, group, "HAVING"));
    bound.rows = filter_rows(std::move(bound.rows), std::move(having));
  }
  for (SelectItem& item : bound.items) {
    TACIT_TRY(item.value, over_groups(std::get<ExprPtr>(item.value), group, item.name));
  }
  return bound;
}

}  // namespace tacit
