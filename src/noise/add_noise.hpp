#pragma once

#include <vector>

#include "base/value.hpp"
#include "engine/exact_rows.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "noise/noisy_rows.hpp"
#include "noise/sampling/entropy.hpp"

namespace tacit {

// Opens the exact rows, adds the planned noise to every cell of every group (absent groups are 0), computes averages
// from their noisy sums, then orders and limits as the query says. Engine rows whose key is not in `groups` are
// dropped. Metric model: the engine's rows name the groups, and `groups` is not read.
NoisyRows add_noise(ExactRows exact, const MechanismPlan& plan, const GroupList& groups, Entropy& entropy);

// The same table without noise, for the owner's eyes (`explain --analyze`). Never on an analyst's path.
NoisyRows reveal_to_owner(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups);

}  // namespace tacit
