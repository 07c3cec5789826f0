#pragma once

#include <vector>

#include "base/result.hpp"
#include "sql/expr.hpp"
#include "sql/typed_query.hpp"

namespace tacit {

// A Group's keys and the columns it produces: one per key, then one per aggregate.
struct GroupColumns {
  std::vector<GroupKey> keys;
  std::vector<ColumnPtr> columns;
};

// An expression over the rows below a Group and the columns of its aggregates, as one over the Group's columns: what is
// the same as a key reads that key's column. Refuses what reads another column; `name` is the expression's in messages.
Result<ExprPtr> over_groups(const ExprPtr& expression, const GroupColumns& group, const std::string& name);

}  // namespace tacit
