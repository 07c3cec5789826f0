#pragma once

#include <cstddef>
#include <vector>

#include "mechanism/users/over_all.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/sampling/random_words.hpp"
#include "noise/users/user_groups.hpp"

namespace tacit {

// How much of one user counts in all groups together: stated, or found for plan.bounds_epsilon, where the plan says so
// among sums and lengths. Proof: mechanism/users/over_all.md.
OverAllBound find_over_all(const UsersAnalysis& users, std::size_t index, const UserAggregatePlan& plan,
                           const std::vector<UserGroup>& groups, RandomWords& words);

// The noise of a bound that is euclidean.
UserNoise euclidean_noise(const UserAggregatePlan& plan);

// At most so many users have more than the bound, with a probability of 97.5%; for plan.beyond_epsilon.
Int128 users_beyond(std::size_t index, const UserAggregatePlan& plan, const std::vector<UserGroup>& groups,
                    const OverAllBound& bound, RandomWords& words);

}  // namespace tacit
