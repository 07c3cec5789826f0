#pragma once

#include "sensitivity/rows/counting/conjunctive_query.hpp"

namespace tacit {

// Statement: on every database that obeys the dependencies, chase(Q) has the same answers as Q. Two atoms of one
// relation that agree on X of a dependency X -> Y with k = 1 describe rows that agree on Y: their terms become one (a
// constant before a counted term before others). What a term is known to be, all that became one with it are.
// Preconditions:
//   1. the dependencies hold for the databases that the caller means; with k > 1 they are not used;
//   2. one that holds for rows without NULL is used where no term of X can be NULL.
// Two constants that become one leave a query without answers; its bound is computed all the same.
// `used`: the facts that it rested on. Proof: chase.md.
ConjunctiveQuery chase(ConjunctiveQuery query, std::set<std::size_t>& used);

}  // namespace tacit
