#pragma once

#include "base/result.hpp"
#include "sql/bind/binding.hpp"

struct PgQuery__SelectStmt;
struct PgQuery__Node;

namespace tacit {

// Clauses of a SELECT that are not supported, each with its reason; in the outermost SELECT and below it.
Status check_query_clauses(const PgQuery__SelectStmt& select, const Binding& binding);
Status check_subquery_clauses(const PgQuery__SelectStmt& select, const Binding& binding);

// A statement that is no SELECT: INSERT, CREATE, SET, ...
tl::unexpected<Failure> refuse_statement(const PgQuery__Node& statement, const Binding& binding);

}  // namespace tacit
