#pragma once

#include <optional>

#include "sensitivity/rows/counting/conjunctive_query.hpp"

namespace tacit {

constexpr long long largest_count_bound = 1'000'000'000;  // beyond it there is no bound
constexpr std::size_t most_chain_states = 100;            // of the exact search; then a greedy one answers

struct ChainStep {
  std::size_t atom = 0;
  std::size_t dependency = 0;  // of the atom's relation
};

struct Chain {
  long long limit = 1;           // the product of the steps' limits
  std::vector<ChainStep> steps;  // those that are needed, in order
};

// Statement: fix a database that obeys the dependencies and a row. Among all assignments that map the query's atoms
// into the database and the `start` atom to that row, the `wanted` terms take at most `limit` different combinations of
// values. Known at first are the start atom's terms and the constants; a step (atom, X ->[k] Y) whose X is known makes
// Y known, at the price of a factor k, once for everything that follows. Dijkstra over sets of known terms.
// Preconditions:
//   1. the dependencies hold; 2. one that holds for rows without NULL is used where no term of X can be NULL.
// Empty: no chain leads there, or its limit exceeds largest_count_bound. Proof: chain_bound.md.
std::optional<Chain> chain_bound(const ConjunctiveQuery& query, std::size_t start, const std::vector<CqTerm>& wanted);

}  // namespace tacit
