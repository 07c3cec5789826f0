#pragma once

#include <set>
#include <vector>

#include "sensitivity/work/join_block.hpp"
#include "sensitivity/work/work_bound.hpp"

namespace tacit {

// An order in which a join can be computed, and what each step multiplies the rows by.
struct Placement {
  std::vector<RowCount> factors;        // public sources that are not found by a key
  std::vector<const JoinSource*> free;  // private sources that are not found by a key
  std::set<const JoinSource*> by_key;   // at most one row for each row before
  long long fan_out = 1;                // private sources that dependencies lead to: at most so many rows, all together
};

// Statement: the join has at most (rows of one person in free[0]) * (... in free[1]) * ... * product of the factors *
// fan_out rows of one person. A source is found by a key when every column of one of its keys holds the owner or is
// equated, by a condition of its level, with an expression over sources placed before. Otherwise at most as many rows
// are found as share the values of the columns that are so equated, among those that meet the conditions on this source
// alone. Greedy: the order is a good one, any order is a correct one. Proof: join_work.md.
Placement place_sources(const JoinBlock& block);

// The same for some of the sources alone, without the others' columns.
Placement place_sources(const JoinBlock& block, const std::vector<std::size_t>& some);

// Names of the tables below, for messages.
std::string tables_below(const Relation& relation);

}  // namespace tacit
