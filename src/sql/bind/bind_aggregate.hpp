#pragma once

#include "base/result.hpp"
#include "sql/bind/aggregate_arguments.hpp"
#include "sql/bind/bind_expression.hpp"
#include "sql/typed_query.hpp"

struct PgQuery__FuncCall;
struct PgQuery__Node;

namespace tacit {

// True for name(...) where the name is an aggregate's and no OVER follows.
bool is_aggregate_call(const PgQuery__Node& node);

// An aggregate of the outermost SELECT, by its plain or its ANON_ name. The argument already carries
//   1. FILTER (WHERE c), as CASE WHEN c THEN x END;
//   2. the bounds the analyst wrote, applied to each row after the expression is evaluated (counts: kept, not applied);
//   3. the declared bounds of a bare column.
Result<Aggregate> bind_aggregate(const PgQuery__Node& node, Binding& binding, const Scope& scope);

// The type of the released value.
SqlType aggregate_type(const Aggregate& aggregate);

// Parts that the aggregates of subqueries share (inner_aggregates.cpp).
Result<Aggregate> bind_count(const PgQuery__FuncCall& call, const AggregateArguments& arguments, const ExprPtr& filter,
                             const ExpressionPlace& place, int position);
// Refuses sum(*) and sum(DISTINCT x).
Status check_total_form(const PgQuery__FuncCall& call, const AggregateName& aggregate,
                        const AggregateArguments& arguments, int position);
Result<ExprPtr> filtered(const ExprPtr& filter, ExprPtr value, int position);  // CASE WHEN filter THEN value END

}  // namespace tacit
