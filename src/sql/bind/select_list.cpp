#include "sql/bind/select_list.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "sql/bind/bind_aggregate.hpp"
#include "sql/bind/node_text.hpp"

namespace tacit {
namespace {

bool same_item(const SelectItem& a, const SelectItem& b) {
  if (a.value.index() != b.value.index()) return false;
  if (const auto* aggregate = std::get_if<std::size_t>(&a.value)) return *aggregate == std::get<std::size_t>(b.value);
  return same_expression(*std::get<ExprPtr>(a.value), *std::get<ExprPtr>(b.value));
}

tl::unexpected<Failure> refuse_no_key(const SelectItem& item, const Expr& expression, bool grouped) {
  if (columns_read(expression).empty()) {
    return refuse("a constant in the SELECT list is not supported", "select group keys and aggregates only",
                  item.position);
  }
  const std::string shown = item.name == "?column?" ? "this expression" : item.name;
  if (!grouped) {
    return refuse(fmt::format("{} is neither an aggregate nor a group key", shown),
                  "add it to GROUP BY, or put it inside COUNT, SUM or AVG", item.position);
  }
  return refuse(fmt::format("{} is not one of the GROUP BY expressions", shown),
                "write the same expression in GROUP BY and in the SELECT list", item.position);
}

}  // namespace

Result<std::vector<SelectItem>> bind_select_list(const PgQuery__SelectStmt& select, Binding& binding,
                                                 const Scope& scope, std::vector<Aggregate>& aggregates) {
  std::vector<SelectItem> items;
  for (std::size_t i = 0; i < select.n_target_list; ++i) {
    const PgQuery__ResTarget& target = *select.target_list[i]->res_target;
    SelectItem item;
    item.name = *target.name != '\0' ? target.name : output_name(*target.val);
    item.position = binding.position(*target.val);
    if (is_aggregate_call(*target.val)) {
      TACIT_TRY(auto aggregate, bind_aggregate(*target.val, binding, scope));
      const auto known = std::find_if(aggregates.begin(), aggregates.end(),
                                      [&](const Aggregate& other) { return same_aggregate(other, aggregate); });
      item.value = static_cast<std::size_t>(known - aggregates.begin());
      if (known == aggregates.end()) aggregates.push_back(std::move(aggregate));
    } else {
      TACIT_TRY(auto expression, bind_value(*target.val, {binding, scope, Clause::select_list}));
      item.value = std::move(expression);
    }
    items.push_back(std::move(item));
  }
  return items;
}

Result<std::vector<OutputColumn>> make_outputs(const std::vector<SelectItem>& items, const std::vector<GroupKey>& keys,
                                               const std::vector<Aggregate>& aggregates) {
  std::vector<OutputColumn> outputs;
  for (const auto& item : items) {
    if (const auto* aggregate = std::get_if<std::size_t>(&item.value)) {
      outputs.push_back({OutputColumn::Kind::aggregate, *aggregate, item.name, aggregate_type(aggregates[*aggregate])});
      continue;
    }
    const Expr& expression = *std::get<ExprPtr>(item.value);
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const GroupKey& candidate) {
      return same_expression(*candidate.expression, expression);
    });
    if (key == keys.end()) return refuse_no_key(item, expression, !keys.empty());
    outputs.push_back(
        {OutputColumn::Kind::key, static_cast<std::size_t>(key - keys.begin()), item.name, expression.type});
  }
  return outputs;
}

Result<std::optional<std::size_t>> find_output(const std::string& name, const std::vector<SelectItem>& items,
                                               int position) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name != name) continue;
    if (found && !same_item(items[*found], items[i])) {
      return refuse(fmt::format("{} names two different columns of the SELECT list", name),
                    "give them different names with AS", position);
    }
    if (!found) found = i;
  }
  return found;
}

Result<std::size_t> output_at(long long number, const std::vector<SelectItem>& items, const char* clause,
                              int position) {
  if (number < 1 || static_cast<unsigned long long>(number) > items.size()) {
    return refuse(fmt::format("{} {}: the SELECT list has {} column{}", clause, number, items.size(),
                              items.size() == 1 ? "" : "s"),
                  fmt::format("write {} {}", clause, items.size() == 1 ? "1" : fmt::format("1 to {}", items.size())),
                  position);
  }
  return static_cast<std::size_t>(number - 1);
}

}  // namespace tacit
