#pragma once

#include "soundness/dice.hpp"
#include "soundness/metric/world.hpp"

namespace tacit::soundness::metric {

struct Start {
  World world;
  Data data;
};

// One to three tables with every kind of column, a metric of any shape, and rows that take the awkward values: ties
// with the numbers queries compare with, bounds and beyond, NULL, extremes. What the policy says holds for the
// rows, but for the keys and dependencies of some public tables.
// `broken`: of two tables one is public, and they do not hold there.
enum class PublicFacts { mostly_true, broken };
Start random_start(Dice& dice, PublicFacts facts = PublicFacts::mostly_true);

// Another version of the data, at a finite distance: one cell or many, by one step, to a point, or anywhere.
Data move_cells(const World& world, const Data& data, Dice& dice);

}  // namespace tacit::soundness::metric
