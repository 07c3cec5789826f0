#include "noise/users/find_group_count.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "mechanism/users/choose_users.hpp"
#include "mechanism/users/group_count.hpp"
#include "mechanism/users/users_plan.hpp"
#include "noise/users/user_groups.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

constexpr double never_shown = 1e18;  // people

// Users by level, each in one: those with at least so many groups as the level before and one more, without those that
// have more than this one.
std::vector<Int128> people_by_level(const std::vector<Int128>& at_least, const std::vector<int>& levels) {
  const auto having = [&](int groups) {
    const auto index = static_cast<std::size_t>(groups) - 1;
    return index < at_least.size() ? at_least[index] : Int128{0};
  };
  std::vector<Int128> people;
  int below = 0;
  for (const int level : levels) {
    const bool last = level == levels.back();
    people.push_back(having(below + 1) - (last ? Int128{0} : having(level + 1)));
    below = level;
  }
  return people;
}

}  // namespace

std::size_t find_group_count(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups,
                             RandomWords& words) {
  const auto& users = analysis_of<UsersAnalysis>(plan.analyzed);
  const auto& own = plan_of<UsersPlan>(plan);
  TACIT_CHECK(users.infers_groups, "the number of groups is to be found");
  const std::vector<int> levels = group_levels(users.groups_per_user);
  TACIT_CHECK(levels.size() == own.by_level.size(), "every number of groups has a plan");
  // Private keys: half of it counts the groups.
  const Epsilon share(users.private_keys ? own.groups_epsilon.value() / 2.0 : own.groups_epsilon.value());
  const auto noise = user_noise({NoiseLaw::geometric, share, 0.0}, 1, 1, 1);

  GroupCountFacts facts;
  facts.levels = levels;
  facts.scale = 1.0 / share.value();
  for (const Int128 count : people_by_level(users_by_place(exact, users), levels)) {
    facts.people.push_back(static_cast<double>(noise->add_to(count, words)));
  }
  facts.groups = static_cast<double>(groups.size());
  if (users.private_keys) {
    Int128 large = 0;
    for (const UserGroup& group : user_groups(exact, users, nullptr, 1)) {
      if (static_cast<double>(group.users()) >= own.counted_group) ++large;
    }
    facts.groups = std::max(static_cast<double>(noise->add_to(large, words)), 1.0);
    for (const UsersPlan& level : own.by_level) {
      facts.half_shown.push_back(shown_half_of_the_time(level).value_or(never_shown));
    }
  }
  // The noise of what is counted group by group, at one group each; shares are equal.
  facts.epsilon = own.by_level.front().selection_epsilon;
  facts.averages = true;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    const UserAggregate& aggregate = users.aggregates[i];
    if (aggregate.over_all) continue;
    facts.epsilon = own.by_level.front().aggregates[i].noise.epsilon;
    if (aggregate.statistic->adds_up()) facts.averages = false;
  }
  const int chosen = choose_group_count(facts);
  return static_cast<std::size_t>(std::ranges::find(levels, chosen) - levels.begin());
}

}  // namespace tacit
