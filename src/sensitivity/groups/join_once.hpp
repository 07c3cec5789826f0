#pragma once

#include <map>
#include <vector>

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// A part of the relation that reads public tables only.
struct PublicPart {
  RelationPtr relation;
  bool optional = false;  // right side of a LEFT JOIN: rows without a partner show NULLs
};

// Proof that each private row takes part in at most one row of the relation, and what it found on the way.
struct JoinOnce {
  std::vector<PublicPart> public_parts;
  std::vector<ExprPtr> inner_conjuncts;          // hold for every row of the relation
  std::map<const Column*, ExprPtr> definitions;  // columns computed by a subquery that keeps the private rows
  std::vector<AssumedKey> assumed_keys;
  Derivation derivation;
};

// Statement: the relation is a disjoint union over private rows r of out(r), |out(r)| <= 1, where out(r) depends on r
// and on public tables only. Preconditions, checked in this order:
//   1. `input` contains exactly one private scan (the caller's);
//   2. that scan is never on the right of a LEFT JOIN;
//   3. each public part is reached by equalities on all columns of one of its declared keys, the other sides reading
//      columns that are already determined by the private row.
// Proof: join_once.md.
Result<JoinOnce> prove_join_once(const RelationPtr& input);

}  // namespace tacit
