#pragma once

#include <optional>

#include "sensitivity/rows/counting/count_bound.hpp"

namespace tacit {

// A small database that obeys the dependencies, and a row of it without which the count is smaller by `moved`.
struct Witness {
  long long moved = 0;
  std::string removed;            // "attends(p1, d1)"
  std::vector<std::string> rows;  // all of the database
};

// Statement: the sensitivity of the query is at least `moved`. Information for people, no noise rests on it.
// The core's atoms are rows, the terms their values; what the row that is taken out does not determine is repeated with
// new values, up to eight times, as far as the dependencies allow. Both databases are counted by brute force.
// Preconditions:
//   1. no condition was dropped and no expression computed, and no boolean connects rows: their values are not the
//      core's to choose. Columns are taken to have as many values as are needed;
//   2. of a bounded query; of others it shows a change by eight.
// Empty where 1 fails or the search is given up. Proof: witness.md.
std::optional<Witness> find_witness(const CountBound& bound);

}  // namespace tacit
