#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "mechanism/noise_law.hpp"
#include "sensitivity/users/users_analysis.hpp"

namespace tacit {

// The noise of one number of one group, for a user who moves that number by at most `sensitivity` steps and at most k
// groups' numbers. geometric and laplace: scale = groups_per_user * sensitivity / epsilon. gaussian: standard deviation
// = deviation * sensitivity (the root of k is in `deviation`).
struct UserNoise {
  NoiseLaw law = NoiseLaw::laplace;
  Epsilon epsilon;         // geometric and laplace: of all k groups together
  double deviation = 0.0;  // gaussian
};

struct UserAggregatePlan {
  // Of everything that is released for this aggregate after its bounds are known.
  //   total, distinct   one number
  //   mean              two: sum of (x - lo) and sum of (hi - x), which a user moves by hi - lo together
  //   variance, deviation  three with a third of epsilon each (gaussian: a root of three more deviation each)
  //   quantile          one choice by rank and the counts around it (quantile_shares of rank_weights.hpp): always the
  //                     law exponential
  UserNoise noise;
  // Inferred bounds. over all groups: epsilon of the search of over_all.hpp. histogram: epsilon of the noisy histogram,
  // and the count a bin must exceed. race: the whole of noise.epsilon is the race's, this is 0.
  Epsilon bounds_epsilon;
  double bounds_threshold = 0.0;
  // A total over all groups with public facts: the number of users beyond the bound, for the interval (over_all.md).
  Epsilon beyond_epsilon;
  // A total over all groups that may be bounded in l2: the deviation of its noise over that bound, else 0. What is
  // found decides between this and `noise` (over_all.hpp); `euclidean_delta` is its own.
  double euclidean_deviation = 0.0;
  Delta euclidean_delta;
  // What explain tells; in units of the answer. Empty where bounds are inferred.
  std::optional<double> sensitivity;
  std::optional<double> error_median;
  std::optional<double> error_p95;
  // The same where bounds are inferred, for the least bounds there may be; totals only.
  std::optional<double> least_error_median;
  std::optional<double> least_error_p95;
};

struct UsersPlan {
  int groups_per_user = 1;  // k of what is counted group by group
  // Private keys alone; both 0 for listed groups.
  Epsilon selection_epsilon;
  Delta selection_delta;
  GroupSelection selection = GroupSelection::optimal;
  double tau = 0.0;  // GroupSelection::threshold: the noisy count of users must reach this
  // The aggregate that is this very count: released where it reached tau, for the price of the choice.
  std::optional<std::size_t> released_count;
  std::vector<UserAggregatePlan> aggregates;
  std::string why;  // these laws, for people
  // UsersAnalysis::infers_groups: epsilon of finding k, how many users a group must have to count for it (private
  // keys; group_count.md), and the plan for each of group_levels. Everything above but this is then that of the first.
  Epsilon groups_epsilon;
  double counted_group = 0.0;
  std::vector<UsersPlan> by_level;
};

// Whether the statement has bins of lengths for this aggregate: for some number of groups of a user that may be found.
inline bool tries_euclidean(const UsersPlan& plan, std::size_t aggregate) {
  return plan.aggregates.at(aggregate).euclidean_deviation > 0.0 ||
         std::ranges::any_of(plan.by_level, [&](const UsersPlan& level) { return tries_euclidean(level, aggregate); });
}

}  // namespace tacit
