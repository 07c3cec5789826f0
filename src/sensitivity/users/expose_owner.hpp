#pragma once

#include "base/result.hpp"
#include "sensitivity/users/ownership.hpp"

namespace tacit {

struct OwnedRelation {
  RelationPtr relation;  // the same rows, without those that belong to nobody where a join was needed
  ExprPtr owner;         // one of its columns
  Derivation derivation;
};

// Makes the owner of every row a column of the relation. Tried in this order:
//   1. a column that equals the owner: carried up through subqueries that left it out, as a further column or key;
//   2. else inner joins along owner_through, on keys that the engine enforces, so that no row is repeated. They stand
//      on top: what the analyst aggregates or filters below is done before.
// Proof: ownership.md.
Result<OwnedRelation> expose_owner(const RelationPtr& input, const Ownership& ownership);

}  // namespace tacit
