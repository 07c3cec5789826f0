#pragma once

#include <vector>

#include "base/units.hpp"

namespace tacit {

// How many groups of a user count where nobody stated it: the level k (group_levels, users_cells.hpp) with the least
//
//   memberships beyond k  +  groups * k / epsilon of the noise,
//
// from noisy counts of users by their number of groups. Proof: group_count.md.
//   people   per level: users with more groups than the level before and no more than this one; noise of scale `scale`
//   groups   how many groups there are, or about
int choose_group_count(const std::vector<int>& levels, const std::vector<double>& people, double scale, double groups,
                       Epsilon epsilon);

}  // namespace tacit
