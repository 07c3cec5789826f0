#pragma once

#include <optional>

#include "mechanism/users/quantile_places.hpp"
#include "mechanism/users/rank_weights.hpp"
#include "noise/sampling/random_words.hpp"
#include "noise/users/user_groups.hpp"

namespace tacit {

// A place chosen by rank, or nothing where "nobody is here" was chosen (mechanism/users/rank_weights.md). `leaves`:
// those with people, in order.
std::optional<int> choose_quantile(const Bins& leaves, const QuantilePlaces& places, double fraction,
                                   const RankTarget& target, const RankWeights& weights, RandomWords& words);

}  // namespace tacit
