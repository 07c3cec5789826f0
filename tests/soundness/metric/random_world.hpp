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

// id: key; k: refers to another table's id; g: a name of a group; q: a number; b: a flag.
std::vector<Column> shown_columns(Dice& dice);
Cell random_shown_cell(const Column& column, Dice& dice);
// The least distance of two values that the column can hold or the policy declares.
double grid_of(const Column& column);

// Another version of the data, at a finite distance: one cell or many, by one step, to a point, or anywhere.
Data move_cells(const World& world, const Data& data, Dice& dice);

}  // namespace tacit::soundness::metric
