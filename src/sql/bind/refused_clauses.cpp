#include "sql/bind/refused_clauses.hpp"

#include <pg_query/pg_query.pb-c.h>

#include "sql/parse/tree_walk.hpp"

namespace tacit {
namespace {

// What is answered in no SELECT.
Status check_every_select(const PgQuery__SelectStmt& select, const Binding& binding) {
  const int position = binding.position(location_of(select.base));
  if (select.op != PG_QUERY__SET_OPERATION__SETOP_NONE) {
    const int second = select.rarg == nullptr ? 0 : binding.position(location_of(select.rarg->base));
    return refuse("UNION, INTERSECT and EXCEPT are not supported", "ask the SELECTs one by one", second);
  }
  if (select.n_values_lists > 0) return refuse("VALUES is not supported", "select from a table", position);
  if (select.into_clause != nullptr) {
    return refuse("SELECT INTO is not supported", "leave INTO out: the answer is printed", position);
  }
  if (select.n_locking_clause > 0) {
    return refuse("FOR UPDATE and FOR SHARE are not supported", "leave them out: nothing is changed", position);
  }
  if (select.n_window_clause > 0) {
    return refuse("window functions (OVER) are not supported", "aggregate with GROUP BY",
                  binding.position(*select.window_clause[0]));
  }
  if (select.n_target_list == 0)
    return refuse("the SELECT list is empty", "name columns or aggregates, such as SELECT COUNT(*) FROM table",
                  position);
  return {};
}

}  // namespace

Status check_query_clauses(const PgQuery__SelectStmt& select, const Binding& binding) {
  TACIT_TRY_STATUS(check_every_select(select, binding));
  if (select.n_distinct_clause > 0) {
    return refuse("SELECT DISTINCT is not supported",
                  select.n_group_clause > 0
                      ? "leave DISTINCT out: each group is one row"
                      : "ask how often each value occurs: SELECT column, COUNT(*) FROM table GROUP BY column",
                  binding.position(location_of(select.base)));
  }
  if (select.having_clause != nullptr) {
    return refuse("HAVING is not supported: it would choose groups by private values",
                  "leave it out and filter the noisy answer yourself", binding.position(*select.having_clause));
  }
  return {};
}

Status check_subquery_clauses(const PgQuery__SelectStmt& select, const Binding& binding) {
  TACIT_TRY_STATUS(check_every_select(select, binding));
  const auto refuse_below = [](const char* clause, const char* advice, int position) {
    return refuse(std::string(clause) + " in a subquery is not supported: one person's rows would displace another's",
                  advice, position);
  };
  const char* outermost = "use it in the outermost SELECT, or leave it out";
  if (select.n_distinct_clause > 0 && select.distinct_clause[0]->node_case != PG_QUERY__NODE__NODE__NOT_SET) {
    return refuse_below("DISTINCT ON", "leave it out", binding.position(*select.distinct_clause[0]));
  }
  if (select.n_sort_clause > 0) return refuse_below("ORDER BY", outermost, binding.position(*select.sort_clause[0]));
  if (select.limit_count != nullptr) return refuse_below("LIMIT", outermost, binding.position(*select.limit_count));
  if (select.limit_offset != nullptr) return refuse_below("OFFSET", outermost, binding.position(*select.limit_offset));
  return {};
}

tl::unexpected<Failure> refuse_statement(const PgQuery__Node& statement, const Binding& binding) {
  const int position = binding.start();
  const char* hint = "write a SELECT with aggregates, such as SELECT COUNT(*) FROM table";
  switch (statement.node_case) {
    case PG_QUERY__NODE__NODE_INSERT_STMT:
    case PG_QUERY__NODE__NODE_UPDATE_STMT:
    case PG_QUERY__NODE__NODE_DELETE_STMT:
    case PG_QUERY__NODE__NODE_MERGE_STMT:
    case PG_QUERY__NODE__NODE_TRUNCATE_STMT:
      return refuse("statements that change data are not supported", hint, position);
    case PG_QUERY__NODE__NODE_COPY_STMT:
      return refuse("COPY is not supported: it would hand out rows as they are", hint, position);
    case PG_QUERY__NODE__NODE_VARIABLE_SET_STMT:
    case PG_QUERY__NODE__NODE_VARIABLE_SHOW_STMT:
    case PG_QUERY__NODE__NODE_ALTER_SYSTEM_STMT:
      return refuse("settings of the engine cannot be read or changed", hint, position);
    case PG_QUERY__NODE__NODE_TRANSACTION_STMT: return refuse("transactions are not supported", hint, position);
    case PG_QUERY__NODE__NODE_PREPARE_STMT:
    case PG_QUERY__NODE__NODE_EXECUTE_STMT:
    case PG_QUERY__NODE__NODE_DEALLOCATE_STMT: return refuse("prepared statements are not supported", hint, position);
    case PG_QUERY__NODE__NODE_CALL_STMT:
    case PG_QUERY__NODE__NODE_DO_STMT: return refuse("procedures are not supported", hint, position);
    default: return refuse("only SELECT is supported", hint, position);
  }
}

}  // namespace tacit
