#pragma once

#include "soundness/dice.hpp"
#include "soundness/rows/world.hpp"

namespace tacit::soundness::rows {

// The private table `visit` and the public `ward` and `building`; either neighbour relation, keys that the engine
// enforces or the policy alone states.
World random_world(Dice& dice);

// Rows with the values that break careless systems: extremes of every type, NaN, infinities, out-of-bounds, NULL.
Data random_data(const World& world, Dice& dice);

// A neighbour, by the world's relation. REQUIRES: data of random_data.
Change random_change(const World& world, const Data& data, Dice& dice);

}  // namespace tacit::soundness::rows
