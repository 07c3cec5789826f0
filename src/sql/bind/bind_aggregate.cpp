#include "sql/bind/bind_aggregate.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/nearest_name.hpp"
#include "sql/bind/aggregate_names.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/coerce.hpp"

namespace tacit {
namespace {

constexpr const char* answered = "COUNT, SUM and AVG are answered today";

// What stands between the parentheses.
struct Arguments {
  bool star = false;
  const PgQuery__Node* value = nullptr;
  const PgQuery__Node* low = nullptr;  // clamp bounds; both or none
  const PgQuery__Node* high = nullptr;
};

Status refuse_forms(const PgQuery__FuncCall& call, const std::string& name, int position) {
  if (call.agg_within_group || call.n_agg_order > 0) {
    return refuse(fmt::format("ORDER BY inside {}(...) is not answered", name), "leave it out", position);
  }
  if (call.func_variadic) return refuse("VARIADIC is not answered", "write the argument itself", position);
  return {};
}

Status read_named_bounds(const PgQuery__NamedArgExpr& named, Arguments& arguments, int position) {
  const std::vector<std::string> known{"contribution_bounds_per_group", "contribution_bounds_per_row"};
  if (std::find(known.begin(), known.end(), named.name) == known.end()) {
    return refuse(fmt::format("there is no argument {}{}", named.name, did_you_mean(named.name, known)),
                  "write contribution_bounds_per_group => (0, 100)", position);
  }
  const bool pair = named.arg->node_case == PG_QUERY__NODE__NODE_ROW_EXPR && named.arg->row_expr->n_args == 2;
  if (!pair || arguments.low != nullptr) {
    return refuse(fmt::format("{} takes one pair of numbers", named.name),
                  "write contribution_bounds_per_group => (0, 100)", position);
  }
  arguments.low = named.arg->row_expr->args[0];
  arguments.high = named.arg->row_expr->args[1];
  return {};
}

Result<Arguments> read_arguments(const PgQuery__FuncCall& call, const AggregateName& aggregate,
                                 const BindSession& session) {
  const int position = session.position(call.location);
  Arguments arguments;
  arguments.star = call.agg_star || session.tree.privacy.star_calls.contains(call.location);
  std::vector<const PgQuery__Node*> plain;
  for (std::size_t i = 0; i < call.n_args; ++i) {
    if (call.args[i]->node_case == PG_QUERY__NODE__NODE_NAMED_ARG_EXPR) {
      TACIT_TRY_STATUS(read_named_bounds(*call.args[i]->named_arg_expr, arguments, session.position(*call.args[i])));
    } else {
      plain.push_back(call.args[i]);
    }
  }
  if (!arguments.star && !plain.empty()) {
    arguments.value = plain.front();
    plain.erase(plain.begin());
  }
  if (!arguments.star && arguments.value == nullptr) {
    return refuse(fmt::format("{}() needs an argument", aggregate.name),
                  fmt::format("write {}(column)", aggregate.name), position);
  }
  if (plain.empty()) return arguments;
  if (plain.size() != 2 || arguments.low != nullptr || !aggregate.takes_bounds) {
    return refuse(fmt::format("{} takes one argument", aggregate.name),
                  aggregate.takes_bounds ? "bounds are two numbers: ANON_SUM(x, 0, 100)"
                                         : "write bounds as contribution_bounds_per_group => (0, 100)",
                  position);
  }
  arguments.low = plain[0];
  arguments.high = plain[1];
  return arguments;
}

Result<Aggregate> bind_count(const PgQuery__FuncCall& call, const Arguments& arguments, const ExprPtr& filter,
                             const ExpressionPlace& place, int position) {
  if (arguments.low != nullptr) {
    return refuse("bounds on a count are not answered: in this privacy model every row counts once",
                  "leave the bounds out", place.session.position(*arguments.low));
  }
  if (arguments.star) {
    if (call.agg_distinct) return refuse("COUNT(DISTINCT *) is not answered", "name a column", position);
    if (!filter) return Aggregate{AggregateKind::count_rows, nullptr, position};
    TACIT_TRY(auto one, number_literal("1", position));
    TACIT_TRY(auto counted, bind_call("case", {filter, std::move(one), null_literal(position)}, position));
    return Aggregate{AggregateKind::count, std::move(counted), position};
  }
  TACIT_TRY(auto value, bind_value(*arguments.value, place));
  if (filter) {
    TACIT_TRY(value, bind_call("case", {filter, std::move(value), null_literal(position)}, position));
  }
  return Aggregate{call.agg_distinct ? AggregateKind::count_distinct : AggregateKind::count, std::move(value),
                   position};
}

Result<Aggregate> bind_total(const PgQuery__FuncCall& call, const AggregateName& aggregate, const Arguments& arguments,
                             const ExprPtr& filter, const ExpressionPlace& place, int position) {
  if (arguments.star) {
    return refuse(fmt::format("{}(*) has no meaning", aggregate.name), fmt::format("write {}(column)", aggregate.name),
                  position);
  }
  if (call.agg_distinct) {
    return refuse(fmt::format("{}(DISTINCT ...) is not answered", aggregate.name),
                  "COUNT(DISTINCT x) is answered; other aggregates take every row", position);
  }
  TACIT_TRY(auto value, bind_value(*arguments.value, place));
  if (!value->type.is_number()) {
    return refuse(fmt::format("{} needs a number, not {}", aggregate.name, to_string(value->type)),
                  "cast the argument to a number or choose another column", value->position);
  }
  value = numeric_operand(std::move(value));
  if (filter) {
    TACIT_TRY(value, bind_call("case", {filter, std::move(value), null_literal(position)}, position));
  }
  if (arguments.low != nullptr) {
    TACIT_TRY(auto low, bind_expression(*arguments.low, place));
    TACIT_TRY(auto high, bind_expression(*arguments.high, place));
    TACIT_TRY(value, clamp_between(std::move(value), low, high, low->position));
  }
  return Aggregate{*aggregate.kind, std::move(value), position};
}

}  // namespace

bool is_aggregate_call(const PgQuery__Node& node) {
  return node.node_case == PG_QUERY__NODE__NODE_FUNC_CALL && node.func_call->over == nullptr &&
         find_aggregate_name(function_name(*node.func_call)) != nullptr;
}

Result<Aggregate> bind_aggregate(const PgQuery__Node& node, BindSession& session, const Scope& scope) {
  const PgQuery__FuncCall& call = *node.func_call;
  const int position = session.position(call.location);
  const std::string name = function_name(call);
  const AggregateName& aggregate = *find_aggregate_name(name);
  if (!aggregate.kind) {
    return refuse(fmt::format("{} is answered in a later version", name), answered, position);
  }
  TACIT_TRY_STATUS(refuse_forms(call, name, position));
  TACIT_TRY(const Arguments arguments, read_arguments(call, aggregate, session));
  const ExpressionPlace place{session, scope, Clause::aggregate_argument};
  ExprPtr filter;
  if (call.agg_filter != nullptr) {
    TACIT_TRY(filter, bind_predicate(*call.agg_filter, place, "FILTER (WHERE ...)"));
  }
  return *aggregate.kind == AggregateKind::count ? bind_count(call, arguments, filter, place, position)
                                                 : bind_total(call, aggregate, arguments, filter, place, position);
}

SqlType aggregate_type(const Aggregate& aggregate) {
  constexpr int widest = 38;
  const SqlType argument = aggregate.argument ? aggregate.argument->type : SqlType::integer(64);
  switch (aggregate.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count:
    case AggregateKind::count_distinct: return SqlType::integer(64);
    case AggregateKind::sum:
      return argument.kind == TypeKind::decimal ? SqlType::decimal(widest, argument.scale)
             : argument.kind == TypeKind::real  ? SqlType::real()
                                                : SqlType::integer(64);
    case AggregateKind::minimum:
    case AggregateKind::maximum: return argument.kind == TypeKind::integer ? SqlType::integer(64) : argument;
    case AggregateKind::average: break;
  }
  if (argument.kind == TypeKind::real) return SqlType::real();
  return SqlType::decimal(widest, std::min(argument.scale + 6, 18));
}

}  // namespace tacit
