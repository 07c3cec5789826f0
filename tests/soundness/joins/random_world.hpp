#pragma once

#include "soundness/dice.hpp"
#include "soundness/rows/world.hpp"

namespace tacit::soundness::joins {

// Two private tables and a public one, of the same columns, and what is true of the rows: keys that the engine enforces
// or the owner vouches for, dependencies with the smallest number that holds. NULL is in every column that may have it.
struct RandomWorld {
  rows::World world;
  rows::Data data;
};

RandomWorld random_world(Dice& dice);

}  // namespace tacit::soundness::joins
