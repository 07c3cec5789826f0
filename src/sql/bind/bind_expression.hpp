#pragma once

#include <string_view>

#include "base/result.hpp"
#include "sql/bind/binding.hpp"
#include "sql/bind/scope.hpp"
#include "sql/expr.hpp"

struct PgQuery__AExpr;
struct PgQuery__FuncCall;
struct PgQuery__Node;

namespace tacit {

class InnerAggregates;

// Where an expression stands: decides what is said about an aggregate inside it.
enum class Clause { select_list, subquery, where, join_condition, group_by, order_by, aggregate_argument };

struct ExpressionPlace {
  Binding& binding;
  const Scope& scope;
  Clause clause = Clause::select_list;
  const Scope* outer = nullptr;           // of the SELECT around, for names that `scope` does not know
  InnerAggregates* aggregates = nullptr;  // takes the aggregates of a subquery; null: none may stand here
};

// The typed expression. Anything without a rule (subqueries, parameters, arrays, rows, volatile functions, ...) is
// refused where it stands. Untyped literals may be left; see bind_value.
//
// Guards repeat their operands when they are printed, so that nesting may grow exponentially: an expression with more
// than `most_expression_nodes` printed nodes is refused at the first level where it has them.
Result<ExprPtr> bind_expression(const PgQuery__Node& node, const ExpressionPlace& place);

// A whole expression of the query: nothing untyped is left.
Result<ExprPtr> bind_value(const PgQuery__Node& node, const ExpressionPlace& place);
// WHERE and ON; `what` names the place in messages.
Result<ExprPtr> bind_predicate(const PgQuery__Node& node, const ExpressionPlace& place, std::string_view what);

constexpr std::size_t most_expression_nodes = 20'000;
constexpr std::size_t most_query_nodes = 100'000;  // over all whole expressions of a query

// bind_expression for the kinds of node that have their own file.
Result<ExprPtr> bind_operator(const PgQuery__AExpr& node, const ExpressionPlace& place);  // bind_operator.cpp
Result<ExprPtr> bind_function_call(const PgQuery__FuncCall& node,
                                   const ExpressionPlace& place);  // bind_function_call.cpp

}  // namespace tacit
