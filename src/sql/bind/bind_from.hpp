#pragma once

#include "base/result.hpp"
#include "sql/bind/bind_expression.hpp"
#include "sql/bind/binding.hpp"
#include "sql/bind/scope.hpp"
#include "sql/relation.hpp"

struct PgQuery__JoinExpr;
struct PgQuery__Node;
struct PgQuery__RangeVar;
struct PgQuery__SelectStmt;
struct PgQuery__WithClause;

namespace tacit {

// Rows, and the names under which the SELECT around sees their columns.
struct BoundFrom {
  RelationPtr relation;
  Scope scope;
};

// FROM of one SELECT. A comma is a cross join, unless USING follows its item. Refuses a SELECT without FROM.
Result<BoundFrom> bind_from_list(const PgQuery__SelectStmt& select, const CommonTable* visible, Binding& binding);

// FROM and WHERE.
Result<BoundFrom> bind_from_and_where(const PgQuery__SelectStmt& select, const CommonTable* visible, Binding& binding);

// One item of FROM: a table, a WITH query, a subquery or a join. `visible`: the WITH queries it may name.
Result<BoundFrom> bind_from_item(const PgQuery__Node& item, const CommonTable* visible, Binding& binding);

// The queries of a WITH clause put before `visible`; the head of the new list. Nothing is bound yet: every reference
// binds the query anew, so that its columns are its own.
Result<const CommonTable*> open_with(const PgQuery__WithClause* with, const CommonTable* visible, Binding& binding);
// Binds the queries of the list down to `until` that nobody referred to, for their errors.
Status check_unused(const CommonTable* with, const CommonTable* until, Binding& binding);

// For bind_from_item, one file each.
Result<BoundFrom> bind_table(const PgQuery__RangeVar& table, const CommonTable* visible, Binding& binding);
Result<BoundFrom> bind_join(const PgQuery__JoinExpr& join, const CommonTable* visible, Binding& binding);
// left.a = right.a AND left.b = right.b
Result<ExprPtr> using_condition(const std::vector<std::string>& names, const Scope& left, const Scope& right,
                                int position);
// A SELECT as an item of FROM called `name`.
Result<BoundFrom> bind_subquery(const PgQuery__Node& query, const std::string& name,
                                const std::vector<std::string>& column_names, const CommonTable* visible,
                                Binding& binding, int position);

}  // namespace tacit
