#pragma once

#include "engine/exact_rows.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "noise/noisy_rows.hpp"
#include "noise/sampling/random_words.hpp"

namespace tacit {

// The rows model's part of add_noise and reveal_to_owner.
NoisyRows release_rows(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups, RandomWords& words);
NoisyRows reveal_rows(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups);

}  // namespace tacit
