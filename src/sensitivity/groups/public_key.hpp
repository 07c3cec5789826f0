#pragma once

#include <vector>

#include "sensitivity/analyzed_query.hpp"

namespace tacit {

// Columns of a public relation that no two of its rows share (as far as they are not NULL).
struct PublicKey {
  std::vector<const Column*> columns;
  std::vector<AssumedKey> assumed;  // declared keys it rests on that the engine does not enforce
};

// The keys of a relation over public tables: declared primary keys and enforced unique keys, carried through filters,
// subqueries that pass the key columns on, and joins (the two sides' keys together).
std::vector<PublicKey> public_keys(const RelationPtr& relation);

}  // namespace tacit
