#pragma once

#include "engine/exact_rows.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "noise/noisy_rows.hpp"
#include "noise/sampling/random_words.hpp"

namespace tacit {

// The users model's part of add_noise: chooses groups, infers bounds, adds the planned noise, computes what is shown.
// `groups`: the listed groups; not read where keys are private.
NoisyRows release_users(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups, RandomWords& words);

// The same table without noise and with every group of the data, for the owner's eyes.
NoisyRows reveal_users(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups);

}  // namespace tacit
