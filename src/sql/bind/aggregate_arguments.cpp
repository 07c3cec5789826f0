#include "sql/bind/aggregate_arguments.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/decimal.hpp"
#include "base/nearest_name.hpp"
#include "sql/bind/node_text.hpp"

namespace tacit {
namespace {

using Nodes = std::vector<const PgQuery__Node*>;

Status check_form(const PgQuery__FuncCall& call, const AggregateName& aggregate, int position) {
  const bool ordered = call.agg_within_group || call.n_agg_order > 0;
  if (aggregate.fraction != QuantileFraction::first_argument && ordered) {
    return refuse(fmt::format("ORDER BY inside {}(...) is not supported", aggregate.name), "leave it out", position);
  }
  if (aggregate.fraction == QuantileFraction::first_argument && !(call.agg_within_group && call.n_agg_order == 1)) {
    return refuse(fmt::format("{} needs WITHIN GROUP with one column", aggregate.name),
                  fmt::format("write {}(0.5) WITHIN GROUP (ORDER BY x)", aggregate.name), position);
  }
  if (call.func_variadic) return refuse("VARIADIC is not supported", "write the argument itself", position);
  return {};
}

Status read_named_bounds(const PgQuery__NamedArgExpr& named, AggregateArguments& arguments, int position) {
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
  arguments.bounds_each_row = std::string_view(named.name) == known[1];
  return {};
}

Result<double> read_fraction(const PgQuery__Node* node, const AggregateName& aggregate, const Binding& binding,
                             int position) {
  std::optional<Decimal> number;
  if (node != nullptr && node->node_case == PG_QUERY__NODE__NODE_A_CONST && !node->a_const->isnull) {
    if (const auto whole = integer_constant(*node)) {
      number = Decimal{*whole, 0};
    } else if (node->a_const->val_case == PG_QUERY__A__CONST__VAL_FVAL) {
      number = parse_decimal(node->a_const->fval->fval);
    }
  }
  if (!number || *number < Decimal{0, 0} || *number > Decimal{1, 0}) {
    const bool first = aggregate.fraction == QuantileFraction::first_argument;
    return refuse(fmt::format("{} needs its fraction as a number from 0 to 1", aggregate.name),
                  first ? fmt::format("write {}(0.5) WITHIN GROUP (ORDER BY x)", aggregate.name)
                        : fmt::format("write {}(x, 0.5)", aggregate.name),
                  node == nullptr ? position : binding.position(*node));
  }
  return to_double(*number);
}

Result<const PgQuery__Node*> ordered_value(const PgQuery__FuncCall& call, const Binding& binding) {
  const PgQuery__SortBy& sort = *call.agg_order[0]->sort_by;
  const bool plain =
      sort.sortby_dir == PG_QUERY__SORT_BY_DIR__SORTBY_DEFAULT || sort.sortby_dir == PG_QUERY__SORT_BY_DIR__SORTBY_ASC;
  if (!plain || sort.sortby_nulls != PG_QUERY__SORT_BY_NULLS__SORTBY_NULLS_DEFAULT) {
    return refuse("WITHIN GROUP takes ascending order, without NULLS FIRST or LAST",
                  "write ORDER BY x, and 1 - f for the fraction f from above", binding.position(sort.node));
  }
  return sort.node;
}

const PgQuery__Node* take_first(Nodes& nodes) {
  if (nodes.empty()) return nullptr;
  const PgQuery__Node* first = nodes.front();
  nodes.erase(nodes.begin());
  return first;
}

// What is left of the plain arguments are the bounds.
Status read_plain_bounds(const Nodes& plain, const AggregateName& aggregate, AggregateArguments& arguments,
                         int position) {
  if (plain.empty()) return {};
  if (plain.size() != 2 || arguments.low != nullptr || !aggregate.takes_bounds) {
    const bool fraction = aggregate.fraction == QuantileFraction::second_argument;
    return refuse(fmt::format("{} takes {}", aggregate.name, fraction ? "one argument and a fraction" : "one argument"),
                  aggregate.takes_bounds ? "bounds are two numbers: ANON_SUM(x, 0, 100)"
                                         : "write bounds as contribution_bounds_per_group => (0, 100)",
                  position);
  }
  arguments.low = plain[0];
  arguments.high = plain[1];
  return {};
}

}  // namespace

Result<AggregateArguments> read_aggregate_arguments(const PgQuery__FuncCall& call, const AggregateName& aggregate,
                                                    const Binding& binding) {
  const int position = binding.position(call.location);
  TACIT_TRY_STATUS(check_form(call, aggregate, position));
  AggregateArguments arguments;
  arguments.star = call.agg_star || binding.tree.privacy.star_calls.contains(call.location);
  Nodes plain;
  for (std::size_t i = 0; i < call.n_args; ++i) {
    if (call.args[i]->node_case == PG_QUERY__NODE__NODE_NAMED_ARG_EXPR) {
      TACIT_TRY_STATUS(read_named_bounds(*call.args[i]->named_arg_expr, arguments, binding.position(*call.args[i])));
    } else {
      plain.push_back(call.args[i]);
    }
  }
  if (aggregate.fraction == QuantileFraction::first_argument) {
    TACIT_TRY(arguments.fraction, read_fraction(take_first(plain), aggregate, binding, position));
    TACIT_TRY(arguments.value, ordered_value(call, binding));
  } else if (!arguments.star) {
    arguments.value = take_first(plain);
  }
  if (!arguments.star && arguments.value == nullptr) {
    return refuse(fmt::format("{}() needs an argument", aggregate.name),
                  fmt::format("write {}(column)", aggregate.name), position);
  }
  if (aggregate.fraction == QuantileFraction::second_argument) {
    TACIT_TRY(arguments.fraction, read_fraction(take_first(plain), aggregate, binding, position));
  }
  TACIT_TRY_STATUS(read_plain_bounds(plain, aggregate, arguments, position));
  return arguments;
}

}  // namespace tacit
