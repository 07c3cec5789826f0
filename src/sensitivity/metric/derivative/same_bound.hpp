#pragma once

#include "sensitivity/metric/derivative/bound.hpp"

namespace tacit {

// The hash that a bound of this node has.
std::size_t hash_of_node(const decltype(Bound::node)& node);

// Makes one part of those that differ by a constant factor alone; `merged` gives its factor from two. With a sum, x * x
// * x has the slope 3 |x| |x| and not a tree that grows with every factor. Constants are parts like others. Proof:
// same_bound.md.
void merge_multiples(std::vector<BoundPtr>& parts, double (*merged)(double, double));

}  // namespace tacit
