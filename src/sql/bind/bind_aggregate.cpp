#include "sql/bind/bind_aggregate.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "sql/bind/node_text.hpp"
#include "sql/coerce.hpp"

namespace tacit {
namespace {

constexpr const char* supported = "use COUNT, SUM, AVG, MIN, MAX, a variance or a quantile";

Result<WrittenBounds> bind_count_bounds(const AggregateArguments& arguments, const ExpressionPlace& place) {
  TACIT_TRY(auto low, bind_expression(*arguments.low, place));
  TACIT_TRY(auto high, bind_expression(*arguments.high, place));
  const int position = low->position;
  if (arguments.bounds_each_row) {
    return refuse("bounds of one row of a count have no meaning: every row counts once",
                  "write contribution_bounds_per_group", position);
  }
  const auto whole = [](const Expr& bound) {
    const auto* literal = std::get_if<Literal>(&bound.node);
    const auto* number = literal == nullptr ? nullptr : std::get_if<Decimal>(&literal->value);
    return number == nullptr ? std::nullopt : rescale(*number, 0);
  };
  const auto least = whole(*low);
  const auto most = whole(*high);
  if (!least || !most || *least > *most) {
    return refuse("bounds of a count are two whole numbers, the lower one first", "write ANON_COUNT(*, 0, 5)",
                  position);
  }
  return WrittenBounds{std::move(low), std::move(high)};
}

// The bound as a literal of a number's type.
Result<ExprPtr> typed_bound(ExprPtr bound, const SqlType& type) {
  if (bound->type.kind != TypeKind::unknown) return bound;
  const int position = bound->position;
  return bind_cast(std::move(bound), type, position);
}

Result<Aggregate> bind_total(const PgQuery__FuncCall& call, const AggregateName& aggregate,
                             const AggregateArguments& arguments, const ExprPtr& filter, const ExpressionPlace& place,
                             int position) {
  TACIT_TRY_STATUS(check_total_form(call, aggregate, arguments, position));
  TACIT_TRY(auto value, bind_value(*arguments.value, place));
  if (!value->type.is_number()) {
    return refuse(fmt::format("{} needs a number, not {}", aggregate.name, to_string(value->type)),
                  "choose a column of numbers, EXTRACT a number from a date, or write CASE WHEN ... THEN 1 ELSE 0 END",
                  value->position);
  }
  value = numeric_operand(std::move(value));
  if (filter) {
    TACIT_TRY(value, filtered(filter, std::move(value), position));
  }
  Aggregate result{*aggregate.kind, value, position, arguments.fraction};
  if (arguments.low == nullptr) return result;

  TACIT_TRY(auto low, bind_expression(*arguments.low, place));
  TACIT_TRY(auto high, bind_expression(*arguments.high, place));
  TACIT_TRY(result.argument, clamp_between(value, low, high, low->position));
  if (arguments.bounds_each_row) return result;
  WrittenBounds written;
  TACIT_TRY(written.low, typed_bound(std::move(low), value->type));
  TACIT_TRY(written.high, typed_bound(std::move(high), value->type));
  result.unclamped = std::move(value);
  result.written = std::move(written);
  return result;
}

}  // namespace

Result<ExprPtr> filtered(const ExprPtr& filter, ExprPtr value, int position) {
  return bind_call("case", {filter, std::move(value), null_literal(position)}, position);
}

Status check_total_form(const PgQuery__FuncCall& call, const AggregateName& aggregate,
                        const AggregateArguments& arguments, int position) {
  if (arguments.star) {
    return refuse(fmt::format("{}(*) has no meaning", aggregate.name), fmt::format("write {}(column)", aggregate.name),
                  position);
  }
  if (call.agg_distinct) {
    return refuse(fmt::format("{}(DISTINCT ...) is not supported", aggregate.name),
                  "leave DISTINCT out; only COUNT(DISTINCT x) is supported", position);
  }
  return {};
}

Result<Aggregate> bind_count(const PgQuery__FuncCall& call, const AggregateArguments& arguments, const ExprPtr& filter,
                             const ExpressionPlace& place, int position) {
  Aggregate result{AggregateKind::count_rows, nullptr, position};
  if (arguments.low != nullptr) {
    TACIT_TRY(result.written, bind_count_bounds(arguments, place));
  }
  if (arguments.star && call.agg_distinct) {
    return refuse("COUNT(DISTINCT *) is not supported", "name a column", position);
  }
  if (arguments.star && !filter) return result;
  if (arguments.star) {
    TACIT_TRY(result.argument, number_literal("1", position));
  } else {
    TACIT_TRY(result.argument, bind_value(*arguments.value, place));
  }
  if (filter) {
    TACIT_TRY(result.argument, filtered(filter, std::move(result.argument), position));
  }
  result.kind = call.agg_distinct ? AggregateKind::count_distinct : AggregateKind::count;
  return result;
}

bool is_aggregate_call(const PgQuery__Node& node) {
  return node.node_case == PG_QUERY__NODE__NODE_FUNC_CALL && node.func_call->over == nullptr &&
         find_aggregate_name(function_name(*node.func_call)) != nullptr;
}

Result<Aggregate> bind_aggregate(const PgQuery__Node& node, Binding& binding, const Scope& scope) {
  const PgQuery__FuncCall& call = *node.func_call;
  const int position = binding.position(call.location);
  const std::string name = function_name(call);
  const AggregateName& aggregate = *find_aggregate_name(name);
  if (!aggregate.kind) {
    return refuse(fmt::format("{} is not supported yet", name), supported, position);
  }
  TACIT_TRY(const AggregateArguments arguments, read_aggregate_arguments(call, aggregate, binding));
  const ExpressionPlace place{binding, scope, Clause::aggregate_argument};
  ExprPtr filter;
  if (call.agg_filter != nullptr) {
    TACIT_TRY(filter, bind_predicate(*call.agg_filter, place, "FILTER (WHERE ...)"));
  }
  return *aggregate.kind == AggregateKind::count ? bind_count(call, arguments, filter, place, position)
                                                 : bind_total(call, aggregate, arguments, filter, place, position);
}

SqlType aggregate_type(const Aggregate& aggregate) {
  const SqlType argument = aggregate.argument ? aggregate.argument->type : SqlType::integer(64);
  return traits_of(aggregate.kind).type(argument);
}

}  // namespace tacit
