#pragma once

#include <cstddef>
#include <vector>

#include "mechanism/users/users_plan.hpp"
#include "noise/sampling/random_words.hpp"
#include "noise/users/user_groups.hpp"

namespace tacit {

// Public: made from noisy counts.
struct InferredBounds {
  UserBounds bounds;
  bool found = false;          // else no bin stood out, and the bounds are a step wide
  double share_clipped = 0.0;  // rough, from the noisy counts
};

// The bounds of an aggregate from the noisy histogram of its values over all groups. Totals: 0 is within the bounds.
// Proof: mechanism/users/magnitude_histogram.md.
InferredBounds infer_bounds(const std::vector<UserGroup>& groups, std::size_t index, const UserAggregate& aggregate,
                            const UserAggregatePlan& plan, int groups_per_user, RandomWords& words);

}  // namespace tacit
