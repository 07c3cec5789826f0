#pragma once

#include <string>
#include <vector>

#include "mechanism/users/users_plan.hpp"
#include "noise/noisy_rows.hpp"
#include "noise/sampling/random_words.hpp"
#include "noise/users/user_groups.hpp"

namespace tacit {

struct ShownGroups {
  std::vector<bool> shown;     // per group
  std::vector<Int128> counts;  // threshold: the noisy number of users that was compared, per group; else empty
};

// Which groups are shown: one coin or one noisy count a group, in the given order. Proof:
// mechanism/users/group_selection.md.
ShownGroups select_groups(const std::vector<UserGroup>& groups, const UsersPlan& plan, RandomWords& words);

// The count of a shown group as an answer (UsersPlan::released_count). The interval holds the number of users with
// probability 95% among the answers that are shown: a count near the threshold may be of any smaller group.
NoisyCell shown_count(Int128 noisy, const UsersPlan& plan, const SqlType& type);

// How groups were chosen, and what to do where none is shown; from public facts and the number of shown groups.
std::string describe_selection(const UsersPlan& plan, const UsersAnalysis& users, std::size_t shown);

}  // namespace tacit
