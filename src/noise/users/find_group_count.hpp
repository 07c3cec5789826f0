#pragma once

#include "engine/exact_rows.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "noise/noisy_rows.hpp"
#include "noise/sampling/random_words.hpp"

namespace tacit {

// How many groups of a user count, found with noise (mechanism/users/group_count.md): a position in
// UsersPlan::by_level. REQUIRES UsersAnalysis::infers_groups. `groups`: the listed ones; not read for private keys.
std::size_t find_group_count(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups,
                             RandomWords& words);

}  // namespace tacit
