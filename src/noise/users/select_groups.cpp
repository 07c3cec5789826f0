#include "noise/users/select_groups.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/check.hpp"
#include "mechanism/users/group_selection.hpp"
#include "mechanism/users/users_plan.hpp"
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

std::vector<bool> by_threshold(const std::vector<UserGroup>& groups, const UsersPlan& plan, int k, RandomWords& words) {
  TACIT_CHECK(plan.tau >= 1.0, "a threshold is at least one user");
  const auto noise = user_noise({NoiseLaw::laplace, plan.selection_epsilon, 0.0}, k, 1, 1);
  const double least = rounded_threshold(plan.tau);
  std::vector<bool> shown;
  shown.reserve(groups.size());
  for (const UserGroup& group : groups) {
    const Int128 noisy = noise->add_to(group.users(), words);
    // A group that only rows of other parts name has no users and is never shown.
    shown.push_back(group.users() > 0 && static_cast<double>(noisy) >= least);
  }
  return shown;
}

// How many users a group has then; empty where no number is enough.
std::optional<std::string> shown_half_of_the_time(const MechanismPlan& plan) {
  const UsersAnalysis& users = *plan.analyzed.users;
  if (users.selection == GroupSelection::threshold) return fmt::format("{:.0f}", rounded_threshold(plan.users->tau));
  const Int128 count =
      OptimalSelection(plan.users->selection_epsilon, plan.users->selection_delta, users.groups_per_user)
          .users_for(0.5);
  return count < OptimalSelection::most_users ? std::optional(to_string(count)) : std::nullopt;
}

}  // namespace

std::vector<bool> select_groups(const std::vector<UserGroup>& groups, const MechanismPlan& plan, RandomWords& words) {
  const UsersAnalysis& users = *plan.analyzed.users;
  TACIT_CHECK(users.private_keys, "listed groups are all shown");
  return users.selection == GroupSelection::threshold ? by_threshold(groups, *plan.users, users.groups_per_user, words)
                                                      : optimal(groups, *plan.users, users.groups_per_user, words);
}

std::string describe_selection(const MechanismPlan& plan, std::size_t shown) {
  const UsersAnalysis& users = *plan.analyzed.users;
  const bool threshold = users.selection == GroupSelection::threshold;
  const char* rule =
      threshold ? "a noisy count of users against a threshold" : "a coin that depends on the number of users";
  std::string hidden = "the groups come from private data";
  if (shown == 0) {
    hidden = (users.leftovers ? "no group is shown by itself: " : "everything was suppressed: ") + hidden;
  }
  const auto about = shown_half_of_the_time(plan);
  if (!about) {
    return fmt::format(
        "{}, and epsilon is too small to show a group of any size with {} groups a person; use a larger epsilon, fewer "
        "groups (max_groups_contributed), or keys with a public list (domain in the policy)",
        hidden, users.groups_per_user);
  }
  if (shown == 0) {
    return fmt::format(
        "{}, and {} shows a group of {} users half of the time; use coarser keys, a larger epsilon or delta, or keys "
        "with a public list (domain in the policy)",
        hidden, rule, *about);
  }
  return fmt::format(
      "{}: {} chose which are shown; a group of {} users is shown half of the time, much smaller ones hardly ever",
      hidden, rule, *about);
}

}  // namespace tacit
