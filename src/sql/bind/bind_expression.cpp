#include "sql/bind/bind_expression.hpp"

#include <fmt/format.h>
#include <pg_query/pg_query.pb-c.h>

#include "sql/bind/bind_aggregate.hpp"
#include "sql/bind/inner_aggregates.hpp"
#include "sql/bind/node_text.hpp"
#include "sql/bind/refused_expression.hpp"
#include "sql/bind/type_name.hpp"
#include "sql/coerce.hpp"

namespace tacit {
namespace {

Result<std::vector<ExprPtr>> bind_all(PgQuery__Node* const* nodes, std::size_t count, const ExpressionPlace& place) {
  std::vector<ExprPtr> expressions;
  for (std::size_t i = 0; i < count; ++i) {
    TACIT_TRY(auto expression, bind_expression(*nodes[i], place));
    expressions.push_back(std::move(expression));
  }
  return expressions;
}

Result<ExprPtr> bind_constant(const PgQuery__AConst& node, int position) {
  if (node.isnull) return null_literal(position);
  switch (node.val_case) {
    case PG_QUERY__A__CONST__VAL_IVAL: return number_literal(std::to_string(node.ival->ival), position);
    case PG_QUERY__A__CONST__VAL_FVAL: return number_literal(node.fval->fval, position);
    case PG_QUERY__A__CONST__VAL_BOOLVAL: return boolean_literal(node.boolval->boolval != 0, position);
    case PG_QUERY__A__CONST__VAL_SVAL: return string_literal(node.sval->sval, position);
    default: return refuse("bit strings are not a type Tacit computes with", "write a number or a string", position);
  }
}

Result<ExprPtr> bind_column(const PgQuery__ColumnRef& node, const ExpressionPlace& place, int position) {
  const auto path = strings_of(node.fields, node.n_fields);
  if (!path.empty() && path.back() == "*") {
    return refuse("SELECT * is not supported",
                  place.clause == Clause::select_list
                      ? "rows are never shown as they are: ask for aggregates, such as SELECT COUNT(*) FROM table"
                      : "name the columns",
                  position);
  }
  const bool is_outer = place.outer != nullptr && !place.scope.knows(path) && place.outer->knows(path);
  TACIT_TRY(auto column, (is_outer ? *place.outer : place.scope).find(path, position));
  return make_column(std::move(column), position);
}

Result<ExprPtr> bind_cast_node(const PgQuery__TypeCast& node, const ExpressionPlace& place, int position) {
  TACIT_TRY(auto value, bind_expression(*node.arg, place));
  if (!is_interval(*node.type_name)) {
    TACIT_TRY(const SqlType type, bind_type_name(*node.type_name, position));
    return bind_cast(std::move(value), type, position);
  }
  TACIT_TRY(const std::string unit, interval_unit(*node.type_name, position));
  std::vector<ExprPtr> args{std::move(value)};
  if (!unit.empty()) args.push_back(string_literal(unit, position));
  return bind_call("interval", std::move(args), position);
}

// CASE x WHEN v is CASE WHEN x = v.
Result<ExprPtr> bind_case(const PgQuery__CaseExpr& node, const ExpressionPlace& place, int position) {
  ExprPtr subject;
  if (node.arg != nullptr) {
    TACIT_TRY(subject, bind_expression(*node.arg, place));
  }
  std::vector<ExprPtr> args;
  for (std::size_t i = 0; i < node.n_args; ++i) {
    const PgQuery__CaseWhen& branch = *node.args[i]->case_when;
    TACIT_TRY(auto condition, bind_expression(*branch.expr, place));
    if (subject) {
      TACIT_TRY(condition, bind_call("=", {subject, std::move(condition)}, place.binding.position(branch.location)));
    }
    args.push_back(std::move(condition));
    TACIT_TRY(auto value, bind_expression(*branch.result, place));
    args.push_back(std::move(value));
  }
  if (node.defresult != nullptr) {
    TACIT_TRY(auto otherwise, bind_expression(*node.defresult, place));
    args.push_back(std::move(otherwise));
  } else {
    args.push_back(null_literal(position));
  }
  return bind_call("case", std::move(args), position);
}

const char* boolean_test_rule(PgQuery__BoolTestType type) {
  switch (type) {
    case PG_QUERY__BOOL_TEST_TYPE__IS_TRUE: return "is true";
    case PG_QUERY__BOOL_TEST_TYPE__IS_NOT_TRUE: return "is not true";
    case PG_QUERY__BOOL_TEST_TYPE__IS_FALSE: return "is false";
    case PG_QUERY__BOOL_TEST_TYPE__IS_NOT_FALSE: return "is not false";
    case PG_QUERY__BOOL_TEST_TYPE__IS_UNKNOWN: return "is unknown";
    default: return "is not unknown";
  }
}

Result<ExprPtr> bind_logic(const PgQuery__BoolExpr& node, const ExpressionPlace& place, int position) {
  TACIT_TRY(auto args, bind_all(node.args, node.n_args, place));
  switch (node.boolop) {
    case PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR: return bind_call("and", std::move(args), position);
    case PG_QUERY__BOOL_EXPR_TYPE__OR_EXPR: return bind_call("or", std::move(args), position);
    default: return bind_call("not", std::move(args), position);
  }
}

Result<ExprPtr> bind_node(const PgQuery__Node& node, const ExpressionPlace& place) {
  const int position = place.binding.position(node);
  switch (node.node_case) {
    case PG_QUERY__NODE__NODE_A_CONST: return bind_constant(*node.a_const, position);
    case PG_QUERY__NODE__NODE_COLUMN_REF: return bind_column(*node.column_ref, place, position);
    case PG_QUERY__NODE__NODE_TYPE_CAST: return bind_cast_node(*node.type_cast, place, position);
    case PG_QUERY__NODE__NODE_A_EXPR: return bind_operator(*node.a_expr, place);
    case PG_QUERY__NODE__NODE_FUNC_CALL:
      if (place.aggregates != nullptr && is_aggregate_call(node)) return place.aggregates->add(node, place.binding);
      return bind_function_call(*node.func_call, place);
    case PG_QUERY__NODE__NODE_CASE_EXPR: return bind_case(*node.case_expr, place, position);
    case PG_QUERY__NODE__NODE_BOOL_EXPR: return bind_logic(*node.bool_expr, place, position);
    case PG_QUERY__NODE__NODE_NULL_TEST: {
      TACIT_TRY(auto value, bind_expression(*node.null_test->arg, place));
      const bool negated = node.null_test->nulltesttype == PG_QUERY__NULL_TEST_TYPE__IS_NOT_NULL;
      return bind_call(negated ? "is not null" : "is null", {std::move(value)}, position);
    }
    case PG_QUERY__NODE__NODE_BOOLEAN_TEST: {
      TACIT_TRY(auto value, bind_expression(*node.boolean_test->arg, place));
      return bind_call(boolean_test_rule(node.boolean_test->booltesttype), {std::move(value)}, position);
    }
    case PG_QUERY__NODE__NODE_COALESCE_EXPR: {
      TACIT_TRY(auto args, bind_all(node.coalesce_expr->args, node.coalesce_expr->n_args, place));
      return bind_call("coalesce", std::move(args), position);
    }
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR: {
      TACIT_TRY(auto args, bind_all(node.min_max_expr->args, node.min_max_expr->n_args, place));
      const bool greatest = node.min_max_expr->op == PG_QUERY__MIN_MAX_OP__IS_GREATEST;
      return bind_call(greatest ? "greatest" : "least", std::move(args), position);
    }
    default: return refuse_expression(node, position);
  }
}

tl::unexpected<Failure> refuse_large(int position) {
  return refuse("the expression is too large once it is made safe against errors",
                "split the query, or nest divisions, casts and CASE less deeply", position);
}

Status count_nodes(const Expr& expression, Binding& binding) {
  binding.printed_nodes += expression.printed_nodes;
  if (binding.printed_nodes > most_query_nodes) return refuse_large(expression.position);
  return {};
}

}  // namespace

Result<ExprPtr> bind_expression(const PgQuery__Node& node, const ExpressionPlace& place) {
  TACIT_TRY(auto expression, bind_node(node, place));
  if (expression->printed_nodes > most_expression_nodes) return refuse_large(expression->position);
  return expression;
}

Result<ExprPtr> bind_value(const PgQuery__Node& node, const ExpressionPlace& place) {
  TACIT_TRY(auto expression, bind_expression(node, place));
  TACIT_TRY_STATUS(count_nodes(*expression, place.binding));
  return resolve_unknown(std::move(expression));
}

Result<ExprPtr> bind_predicate(const PgQuery__Node& node, const ExpressionPlace& place, std::string_view what) {
  TACIT_TRY(auto expression, bind_expression(node, place));
  TACIT_TRY_STATUS(count_nodes(*expression, place.binding));
  return require_boolean(std::move(expression), what);
}

}  // namespace tacit
