#pragma once

#include <vector>

#include "base/result.hpp"
#include "sql/aggregate.hpp"
#include "sql/bind/binding.hpp"
#include "sql/bind/scope.hpp"

struct PgQuery__Node;

namespace tacit {

// The aggregates of a subquery: every different one is computed once, wherever its SELECT list and HAVING name it.
class InnerAggregates {
 public:
  // `is_private`: some table below is.
  InnerAggregates(const Scope& rows, bool is_private) : rows_(rows), is_private_(is_private) {}

  // Binds a call for which is_aggregate_call holds; the answer reads the column that will hold it.
  Result<ExprPtr> add(const PgQuery__Node& node, Binding& binding);

  const std::vector<Aggregate>& aggregates() const { return aggregates_; }
  const std::vector<ColumnPtr>& columns() const { return columns_; }  // one per aggregate

 private:
  const Scope& rows_;
  bool is_private_;
  std::vector<Aggregate> aggregates_;
  std::vector<ColumnPtr> columns_;
};

}  // namespace tacit
