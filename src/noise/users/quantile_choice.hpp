#pragma once

#include "mechanism/users/rank_weights.hpp"
#include "noise/random_words.hpp"
#include "noise/users/user_groups.hpp"

namespace tacit {

// The middle of a leaf of the quantile tree's grid, chosen by rank (mechanism/users/rank_weights.md); from 0 to
// quantile_leaves. `leaves`: those with people, in order.
double choose_quantile(const Bins& leaves, double fraction, const RankWeights& weights, RandomWords& words);

}  // namespace tacit
