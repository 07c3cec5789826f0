#pragma once

#include <vector>

#include "base/result.hpp"
#include "sql/bind/bind_from.hpp"

struct PgQuery__SubLink;

namespace tacit {

struct BoundWhere {
  RelationPtr rows;                 // those of FROM that meet the conditions
  std::vector<ExprPtr> correlated;  // conditions that read columns of the SELECT around; not applied to `rows`
};

// WHERE over the rows of `from`. EXISTS, IN (SELECT ...) and their negations as whole conditions, joined by AND, become
// SemiJoins; elsewhere they are refused. `outer`: the names of the SELECT around, null when they are not visible.
Result<BoundWhere> bind_where(const PgQuery__Node& where, const BoundFrom& from, const Scope* outer,
                              const CommonTable* visible, Binding& binding);

// One EXISTS or IN (SELECT ...) over the rows of `left`, whose names are `scope`.
Result<RelationPtr> bind_semi_join(const PgQuery__SubLink& link, bool negated, RelationPtr left, const Scope& scope,
                                   const CommonTable* visible, Binding& binding);

RelationPtr filter_rows(RelationPtr rows, ExprPtr predicate);

}  // namespace tacit
