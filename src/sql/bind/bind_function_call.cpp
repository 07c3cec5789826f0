#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>

#include "base/nearest_name.hpp"
#include "sql/bind/aggregate_names.hpp"
#include "sql/bind/bind_expression.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/bind/refused_expression.hpp"
#include "sql/coerce.hpp"
#include "sql/functions/function_rule.hpp"

namespace tacit {
namespace {

// Forms only aggregates and window functions have.
Status check_plain_call(const PgQuery__FuncCall& node, const std::string& name, int position) {
  if (node.over != nullptr) {
    return refuse("window functions (OVER) are not supported", "aggregate with GROUP BY", position);
  }
  if (node.agg_star || node.agg_distinct || node.agg_filter != nullptr || node.n_agg_order > 0 ||
      node.agg_within_group) {
    return refuse(fmt::format("{} is not an aggregate", name), "leave out *, DISTINCT, FILTER and ORDER BY", position);
  }
  if (node.func_variadic) return refuse("VARIADIC is not supported", "write the arguments one by one", position);
  return {};
}

Status check_known(const std::string& name, int position) {
  if (name == "timezone") {  // what the grammar makes of AT TIME ZONE
    return refuse("AT TIME ZONE is not supported: timestamps have no zone here, those of the engine are read as UTC",
                  "move the time by hand: at + INTERVAL '2 hours'", position);
  }
  std::vector<std::string> known = function_names();
  if (name == "extract" || std::find(known.begin(), known.end(), name) != known.end()) return {};
  const auto aggregates = answered_aggregates();
  known.insert(known.end(), aggregates.begin(), aggregates.end());
  return refuse(fmt::format("there is no function {}{}", name, did_you_mean(name, known)),
                "docs/sql.md lists the functions", position);
}

}  // namespace

Result<ExprPtr> bind_function_call(const PgQuery__FuncCall& node, const ExpressionPlace& place) {
  const int position = place.binding.position(node.location);
  const std::string name = function_name(node);
  if (find_aggregate_name(name) != nullptr && node.over == nullptr) {
    return refuse_aggregate_here(name, place.clause, position);
  }
  TACIT_TRY_STATUS(check_plain_call(node, name, position));
  if (is_volatile_function(name)) return refuse_volatile(name, position);
  TACIT_TRY_STATUS(check_known(name, position));
  std::vector<ExprPtr> args;
  for (std::size_t i = 0; i < node.n_args; ++i) {
    if (node.args[i]->node_case == PG_QUERY__NODE__NODE_NAMED_ARG_EXPR) {
      return refuse(fmt::format("{} takes no named arguments", name), "write the arguments in order",
                    place.binding.position(*node.args[i]));
    }
    TACIT_TRY(auto arg, bind_expression(*node.args[i], place));
    args.push_back(std::move(arg));
  }
  const bool is_extract = name == "extract" && node.funcformat == PG_QUERY__COERCION_FORM__COERCE_SQL_SYNTAX;
  return is_extract ? bind_call("extract", std::move(args), position) : bind_function(name, std::move(args), position);
}

}  // namespace tacit
