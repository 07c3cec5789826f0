#pragma once

#include <string>
#include <vector>

#include "mechanism/mechanism_plan.hpp"
#include "noise/random_words.hpp"
#include "noise/users/user_groups.hpp"

namespace tacit {

// Which groups are shown: one coin or one noisy count a group, in the given order. Proof:
// mechanism/users/group_selection.md.
std::vector<bool> select_groups(const std::vector<UserGroup>& groups, const MechanismPlan& plan, RandomWords& words);

// How groups were chosen, and what to do where none is shown; from public facts and the number of shown groups.
std::string describe_selection(const MechanismPlan& plan, std::size_t shown);

}  // namespace tacit
