#pragma once

#include "sensitivity/rows/counting/count_bound.hpp"

namespace tacit {

struct MissingDependency {
  std::size_t relation = 0;
  CqDependency dependency;  // limit 0: a k that the owner can defend
};

// Dependencies that would bound an unbounded query, and the work of its join (join_fan_out): as few as there can be
// where one or two are enough, else none that is superfluous. Candidates lead from columns that connect an atom to the
// row itself or to another column that connects. Empty: no such set exists.
// Advice, nothing rests on it. Proof: missing_dependencies.md.
std::vector<MissingDependency> missing_dependencies(const CountBound& bound);

// At most how many rows of the sensitive tables together one row of one of them brings to the join, whatever public
// rows it meets: the least over the tables to start from. 1 where a single sensitive row is joined. Empty: no bound.
std::optional<long long> join_fan_out(const ConjunctiveQuery& chased);

}  // namespace tacit
