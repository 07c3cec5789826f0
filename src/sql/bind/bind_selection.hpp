#pragma once

#include "sql/bind/bind_from.hpp"
#include "sql/bind/select_list.hpp"

namespace tacit {

// The SELECT list of a subquery, as expressions over the columns of `rows`: those of FROM, or, with GROUP BY, HAVING or
// aggregates, the groups that HAVING keeps.
struct BoundSelection {
  RelationPtr rows;
  bool grouped = false;
  std::vector<SelectItem> items;  // each an expression
};

enum class SelectStar { refused, left_out };  // left out: EXISTS (SELECT * ...)

// `outer`: the names of the SELECT around, null when they are not visible.
Result<BoundSelection> bind_selection(const PgQuery__SelectStmt& select, const BoundFrom& from, const Scope* outer,
                                      SelectStar star, Binding& binding);

}  // namespace tacit
