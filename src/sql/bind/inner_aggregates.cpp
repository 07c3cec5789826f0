#include "sql/bind/inner_aggregates.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "sql/bind/aggregate_arguments.hpp"
#include "sql/bind/aggregate_names.hpp"
#include "sql/bind/bind_aggregate.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/coerce.hpp"
#include "sql/plain_aggregate.hpp"

namespace tacit {
namespace {

Status check_answered(const AggregateName& aggregate, int position) {
  if (aggregate.name.starts_with("anon_")) {
    return refuse(
        fmt::format("{}(...) is in a subquery: bounds and noise belong to the outermost SELECT", aggregate.name),
        "write COUNT, SUM, AVG, MIN or MAX here: what a subquery computes is not shown", position);
  }
  if (!aggregate.kind || !traits_of(*aggregate.kind).in_subqueries) {
    return refuse(fmt::format("{}(...) in a subquery is not supported", aggregate.name),
                  "use COUNT, SUM, AVG, MIN or MAX there", position);
  }
  return {};
}

Result<ExprPtr> bind_number(ExprPtr value, const AggregateName& aggregate, const ExprPtr& filter, int position) {
  if (!value->type.is_number()) {
    return refuse(fmt::format("{} needs a number, not {}", aggregate.name, to_string(value->type)),
                  "choose a column of numbers, EXTRACT a number from a date, or write CASE WHEN ... THEN 1 ELSE 0 END",
                  value->position);
  }
  value = numeric_operand(std::move(value));
  if (filter) {
    TACIT_TRY(value, filtered(filter, std::move(value), position));
  }
  return summable(std::move(value), name_of(*aggregate.kind), position);
}

Result<ExprPtr> bind_ordered(ExprPtr value, const AggregateName& aggregate, const ExprPtr& filter, int position) {
  if (value->type.kind == TypeKind::boolean) {
    return refuse(fmt::format("{} of a condition is not supported", aggregate.name),
                  fmt::format("write {}(CASE WHEN ... THEN 1 ELSE 0 END)", aggregate.name), position);
  }
  value = numeric_operand(std::move(value));
  if (filter) {
    TACIT_TRY(value, filtered(filter, std::move(value), position));
  }
  return value;
}

Result<Aggregate> bind_inner(const PgQuery__FuncCall& call, const AggregateName& aggregate,
                             const ExpressionPlace& place) {
  const int position = place.binding.position(call.location);
  TACIT_TRY_STATUS(check_answered(aggregate, position));
  TACIT_TRY(const AggregateArguments arguments, read_aggregate_arguments(call, aggregate, place.binding));
  if (arguments.low != nullptr) {
    return refuse("bounds belong to the aggregates of the outermost SELECT", "leave them out here",
                  place.binding.position(*arguments.low));
  }
  ExprPtr filter;
  if (call.agg_filter != nullptr) {
    TACIT_TRY(filter, bind_predicate(*call.agg_filter, place, "FILTER (WHERE ...)"));
  }
  if (*aggregate.kind == AggregateKind::count) return bind_count(call, arguments, filter, place, position);
  TACIT_TRY_STATUS(check_total_form(call, aggregate, arguments, position));
  TACIT_TRY(auto value, bind_value(*arguments.value, place));
  const bool ordered = aggregate.kind == AggregateKind::minimum || aggregate.kind == AggregateKind::maximum;
  TACIT_TRY(value, ordered ? bind_ordered(std::move(value), aggregate, filter, position)
                           : bind_number(std::move(value), aggregate, filter, position));
  return Aggregate{*aggregate.kind, std::move(value), position};
}

}  // namespace

Result<ExprPtr> InnerAggregates::add(const PgQuery__Node& node, Binding& binding) {
  const PgQuery__FuncCall& call = *node.func_call;
  const std::string name = function_name(call);
  TACIT_TRY(auto aggregate, bind_inner(call, *find_aggregate_name(name), {binding, rows_, Clause::aggregate_argument}));
  const int position = aggregate.position;
  const auto known = std::find_if(aggregates_.begin(), aggregates_.end(),
                                  [&](const Aggregate& other) { return same_aggregate(other, aggregate); });
  const auto index = static_cast<std::size_t>(known - aggregates_.begin());
  if (known == aggregates_.end()) {
    columns_.push_back(plain_aggregate_column(aggregate, name, is_private_));
    aggregates_.push_back(std::move(aggregate));
  }
  return make_column(columns_[index], position);
}

}  // namespace tacit
