#pragma once

#include <functional>

#include "noise/users/user_groups.hpp"

namespace tacit {

// Walks down the tree of quantile_levels levels with quantile_branching children a node, from the counts of its leaves,
// to the leaf where the fraction lies, and interpolates in it. `noisy` turns a node's exact count into what may be
// seen; each node is asked for once. Children below `least_counted` of their siblings' total are taken as empty; where
// nothing is left, the walk ends and interpolates in the node. Returns a place from 0 to quantile_leaves.
double walk_to_quantile(const Bins& leaves, double fraction, const std::function<Int128(Int128)>& noisy,
                        const std::function<double(double)>& least_counted);

}  // namespace tacit
