#pragma once

#include "soundness/dice.hpp"
#include "soundness/metric/random_world.hpp"

namespace tacit::soundness::metric {

// A world where one step can use up a bound, so that a bound which is too small shows: one or two tables of a few rows,
// numbers well inside their ranges and around the knees of the smooth bounds, metrics of every norm over several
// columns. The questions about it are plain ones (query_writer.hpp).
Start tight_start(Dice& dice);

// Another version, in the worst direction for a question whose slopes are about equal: what moves moves as far as the
// norms of the metric, the rows and the tables let it at one distance. linf: all parts in full; l1: one part.
Data worst_step(const World& world, const Data& data, Dice& dice);

}  // namespace tacit::soundness::metric
