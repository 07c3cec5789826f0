#include "sql/bind/refused_expression.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <array>

namespace tacit {
namespace {

tl::unexpected<Failure> refuse_subquery(const PgQuery__SubLink& link, int position) {
  const auto refuse_here = [&](std::string_view form) {
    return refuse(
        fmt::format("{} is supported only as a condition of its own in WHERE, joined to the others by AND", form),
        "move it there, or join the other table in FROM", position);
  };
  switch (link.sub_link_type) {
    case PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK: return refuse_here("EXISTS (SELECT ...)");
    case PG_QUERY__SUB_LINK_TYPE__ANY_SUBLINK: return refuse_here("IN (SELECT ...)");
    case PG_QUERY__SUB_LINK_TYPE__ALL_SUBLINK: return refuse_here("ALL (SELECT ...)");
    case PG_QUERY__SUB_LINK_TYPE__ARRAY_SUBLINK:
      return refuse("ARRAY (SELECT ...) is not supported", "write columns and plain values", position);
    default:
      return refuse("a subquery as a value (a scalar subquery) is not supported",
                    "compute it in a subquery in FROM or in WITH and join with it", position);
  }
}

}  // namespace

tl::unexpected<Failure> refuse_expression(const PgQuery__Node& node, int position) {
  switch (node.node_case) {
    case PG_QUERY__NODE__NODE_SUB_LINK: return refuse_subquery(*node.sub_link, position);
    case PG_QUERY__NODE__NODE_PARAM_REF:
      return refuse("parameters such as $1 are not supported", "write the value itself", position);
    case PG_QUERY__NODE__NODE_A_ARRAY_EXPR:
    case PG_QUERY__NODE__NODE_A_INDIRECTION:
      return refuse("arrays and fields of rows are not supported", "write columns and plain values", position);
    case PG_QUERY__NODE__NODE_ROW_EXPR:
      return refuse("row values such as (a, b) are not supported", "compare the columns one by one", position);
    case PG_QUERY__NODE__NODE_SQLVALUE_FUNCTION:
      return refuse("current_date, current_user and the like change with the session and are not supported",
                    "write the value itself, for example DATE '2026-01-31'", position);
    case PG_QUERY__NODE__NODE_COLLATE_CLAUSE:
      return refuse("COLLATE is not supported", "leave it out: text is compared by bytes", position);
    case PG_QUERY__NODE__NODE_GROUPING_FUNC:
      return refuse("GROUPING() is not supported", "group by plain expressions", position);
    case PG_QUERY__NODE__NODE_SET_TO_DEFAULT:
      return refuse("DEFAULT has no meaning here", "write the value itself", position);
    default: return refuse("this expression is not supported", "docs/sql.md lists what can be asked", position);
  }
}

tl::unexpected<Failure> refuse_aggregate_here(std::string_view name, Clause clause, int position) {
  switch (clause) {
    case Clause::select_list:
      return refuse(fmt::format("an expression over {}(...) is not supported", name),
                    "select the aggregate itself as a column and compute with the noisy value afterwards", position);
    case Clause::where:
    case Clause::join_condition:
      return refuse(fmt::format("{}(...) is not allowed in WHERE or ON: it would choose rows by a private total", name),
                    "filter the rows by their columns, or filter the noisy answer yourself", position);
    case Clause::group_by:
      return refuse(fmt::format("{}(...) cannot be a group key", name), "group by columns", position);
    case Clause::order_by:
      return refuse(fmt::format("ORDER BY cannot compute with {}(...)", name), "order by a column of the SELECT list",
                    position);
    case Clause::subquery:
    case Clause::aggregate_argument: break;
  }
  return refuse(fmt::format("{}(...) is inside another aggregate", name), "aggregate once", position);
}

bool is_volatile_function(std::string_view name) {
  constexpr std::array<std::string_view, 19> volatile_functions{"random",
                                                                "setseed",
                                                                "now",
                                                                "clock_timestamp",
                                                                "statement_timestamp",
                                                                "transaction_timestamp",
                                                                "timeofday",
                                                                "nextval",
                                                                "currval",
                                                                "lastval",
                                                                "gen_random_uuid",
                                                                "uuid",
                                                                "pg_sleep",
                                                                "today",
                                                                "get_current_timestamp",
                                                                "version",
                                                                "pg_backend_pid",
                                                                "current_setting",
                                                                "current_database"};
  return std::find(volatile_functions.begin(), volatile_functions.end(), name) != volatile_functions.end();
}

tl::unexpected<Failure> refuse_volatile(std::string_view name, int position) {
  return refuse(fmt::format("{}() changes from call to call or with the session and is not supported", name),
                "write the value itself, for example DATE '2026-01-31'", position);
}

}  // namespace tacit
