#pragma once

#include "sensitivity/rows/counting/conjunctive_query.hpp"

namespace tacit {

constexpr std::size_t most_tried_images = 20'000;  // of all searches for one core together

struct QueryCore {
  ConjunctiveQuery query;      // some of the atoms
  std::vector<CqAtom> folded;  // the others
  bool is_complete = true;     // false: the search was given up, and an atom may be left that could be folded
};

// Statement: there is a homomorphism h from the query's atoms into the core's, which are some of them, with
//   1. h(x) = x for the head, for constants, and for every term that a dropped condition reads;
//   2. h(x) is not NULL in any answer where x is not.
// So whenever the core's atoms are in a database, under any assignment that meets the dropped conditions, the query has
// that answer. Found by backtracking, the atom with the fewest images first; giving up leaves more atoms, which makes
// the bound larger, never smaller. Proof: core.md.
QueryCore core_of(const ConjunctiveQuery& query, std::size_t tries = most_tried_images);

}  // namespace tacit
