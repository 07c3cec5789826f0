#pragma once

#include "base/result.hpp"
#include "sql/bind/bind_expression.hpp"
#include "sql/typed_query.hpp"

struct PgQuery__Node;

namespace tacit {

// True for name(...) where the name is an aggregate's and no OVER follows.
bool is_aggregate_call(const PgQuery__Node& node);

// COUNT(*), COUNT(x), COUNT(DISTINCT x), SUM(x), AVG(x) and their ANON_ names. The argument already carries
//   1. FILTER (WHERE c), as CASE WHEN c THEN x END;
//   2. the clamp bounds the analyst wrote, applied after the expression is evaluated;
//   3. the declared bounds of a bare column.
Result<Aggregate> bind_aggregate(const PgQuery__Node& node, BindSession& session, const Scope& scope);

// The type of the released value.
SqlType aggregate_type(const Aggregate& aggregate);

}  // namespace tacit
