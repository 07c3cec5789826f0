#pragma once

#include <optional>

#include "sensitivity/rows/counting/chain_bound.hpp"
#include "sensitivity/rows/counting/core.hpp"

namespace tacit {

struct AtomBound {
  std::size_t atom = 0;  // of the core
  std::optional<Chain> chain;
};

struct RelationBound {
  std::size_t relation = 0;
  std::vector<AtomBound> atoms;
  std::optional<long long> limit;  // their sum
};

struct CountBound {
  ConjunctiveQuery chased;
  QueryCore core;
  std::vector<RelationBound> relations;  // sensitive ones that the core reads
  // How far one row of one sensitive relation, added or removed, moves the count; empty: no bound is known.
  std::optional<long long> upper;
  std::set<std::size_t> facts;  // what the bound rests on: chase, and steps of chains
};

// Statement: let D and D' obey the dependencies and differ by one row of one sensitive relation. The number of answers
// of the query (with the conditions that were dropped) differs by at most `upper`:
//
//   max over sensitive relations R of the sum, over the atoms A of R in the core of the chased query, of the chain
//   bound from A to the head; at most 1 where the head is empty.
//
// Preconditions: those of chase.hpp, core.hpp and chain_bound.hpp. Proof: count_bound.md.
CountBound bound_count(const ConjunctiveQuery& query);

// The part that depends on dependencies with k > 1, for a chased query with its core.
void bound_core(CountBound& bound);

}  // namespace tacit
