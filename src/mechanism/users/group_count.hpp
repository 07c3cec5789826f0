#pragma once

#include <vector>

#include "base/units.hpp"

namespace tacit {

// What is known when the number of groups of a user that count is chosen. Everything is public or released.
struct GroupCountFacts {
  std::vector<int> levels;         // group_levels, users_cells.hpp
  std::vector<double> people;      // per level: users with more groups than the level before and no more than this one
  double scale = 0.0;              // of the noise of each of `people`
  double groups = 0.0;             // how many groups there are, or about
  Epsilon epsilon;                 // of what is counted group by group
  std::vector<double> half_shown;  // private keys: per level, the size of a group that is shown half of the time
  bool averages = false;  // everything that is counted group by group is an average of values, not their number
};

// The level k with the least expected error as a share of a group, from M(k) memberships that count and their mean
// s(k) = M(k) / groups:
//
//   k / (epsilon s(k))                        the noise
//   + 1 - M(k) / M, or 1 / sqrt(s(k))         what is left out: averages of a sample are not biased by its size
//   + 1 - exp(-half_shown(k) / s(k))          groups that are hidden
//
// With listed groups averages count what is left out, too: there more groups per user hide nothing. Proof that any
// choice is private: group_count.md.
int choose_group_count(const GroupCountFacts& facts);

}  // namespace tacit
