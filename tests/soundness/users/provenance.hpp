#pragma once

#include <vector>

#include "sql/relation.hpp"

namespace tacit::soundness::users {

struct Traced {
  RelationPtr relation;
  std::vector<ColumnPtr> owners;
};

// The relation with the column `true_owner` of every private row that went into each of its rows: carried through
// subqueries, through GROUP BY as the least and the greatest of the group.
Traced with_true_owners(const RelationPtr& relation);

}  // namespace tacit::soundness::users
