#include "noise/users/select_groups.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/check.hpp"
#include "mechanism/users/choose_users.hpp"
#include "mechanism/users/group_selection.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/grid_value.hpp"
#include "noise/users/dyadic_bernoulli.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

std::vector<bool> optimal(const std::vector<UserGroup>& groups, const UsersPlan& plan, int k, RandomWords& words) {
  const OptimalSelection rule(plan.selection_epsilon, plan.selection_delta, k);
  std::vector<bool> shown;
  shown.reserve(groups.size());
  for (const UserGroup& group : groups) {
    const ShowChance chance = rule.chance(group.users());
    shown.push_back(dyadic_bernoulli(chance.chance, words) != chance.of_hiding);
  }
  return shown;
}

ShownGroups by_threshold(const std::vector<UserGroup>& groups, const UsersPlan& plan, RandomWords& words) {
  TACIT_CHECK(plan.tau >= 1.0, "a threshold is at least one user");
  const auto noise = user_noise({NoiseLaw::laplace, plan.selection_epsilon, 0.0}, plan.groups_per_user, 1, 1);
  const double least = rounded_threshold(plan.tau);
  ShownGroups result;
  for (const UserGroup& group : groups) {
    const Int128 noisy = noise->add_to(group.users(), words);
    // A group that only rows of other parts name has no users and is never shown.
    result.shown.push_back(group.users() > 0 && static_cast<double>(noisy) >= least);
    result.counts.push_back(noisy);
  }
  return result;
}

}  // namespace

ShownGroups select_groups(const std::vector<UserGroup>& groups, const UsersPlan& plan, RandomWords& words) {
  if (plan.selection == GroupSelection::threshold) return by_threshold(groups, plan, words);
  return {optimal(groups, plan, plan.groups_per_user, words), {}};
}

NoisyCell shown_count(Int128 noisy, const UsersPlan& plan, const SqlType& type) {
  const auto noise = user_noise({NoiseLaw::laplace, plan.selection_epsilon, 0.0}, plan.groups_per_user, 1, 1);
  const Int128 width = noise->half_width(0.96);
  const double tail =
      -std::log(0.04) * user_noise_scale({NoiseLaw::laplace, plan.selection_epsilon, 0.0}, plan.groups_per_user, 1, 1);
  const bool may_be_small = static_cast<double>(noisy) < rounded_threshold(plan.tau) + tail + 1.0;
  const Grid whole{};
  return {value_on_grid(noisy, whole, type),
          std::pair(value_on_grid(may_be_small ? Int128{1} : noisy - width, whole, type),
                    value_on_grid(noisy + width, whole, type))};
}

std::string describe_selection(const UsersPlan& plan, const UsersAnalysis& users, std::size_t shown) {
  const UnitNames unit = users.unit();
  const bool threshold = plan.selection == GroupSelection::threshold;
  const std::string rule = plan.released_count
                               ? fmt::format("the number of {} that is shown, against a threshold,", unit.people)
                           : threshold ? fmt::format("a noisy count of {} against a threshold", unit.users)
                                       : fmt::format("a coin that depends on the number of {}", unit.users);
  std::string hidden = "the groups come from private data";
  if (shown == 0) {
    hidden = (users.leftovers ? "no group is shown by itself: " : "everything was suppressed: ") + hidden;
  }
  const auto about = shown_half_of_the_time(plan);
  if (!about && users.row_is_user) {
    return hidden +
           ", and epsilon is too small to show a group of any size; use a larger epsilon, or keys with a public list "
           "(domain in the policy)";
  }
  if (!about) {
    return fmt::format(
        "{}, and epsilon is too small to show a group of any size with {} groups per person; use a larger epsilon, "
        "fewer "
        "groups (max_groups_contributed), or keys with a public list (domain in the policy)",
        hidden, plan.groups_per_user);
  }
  if (shown == 0) {
    return fmt::format(
        "{}, and {} shows a group of {:.0f} {} half of the time; use coarser keys, a larger epsilon or delta, or "
        "keys with a public list (domain in the policy)",
        hidden, rule, *about, unit.users);
  }
  std::string text = fmt::format(
      "{}: {} chose which are shown; a group of {:.0f} {} is shown half of the time, much smaller ones hardly ever",
      hidden, rule, *about, unit.users);
  if (plan.released_count) text += "; a group near that size is shown when its number came out high";
  return text;
}

}  // namespace tacit
