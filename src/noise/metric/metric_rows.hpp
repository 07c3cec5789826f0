#pragma once

#include "engine/exact_rows.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "noise/noisy_rows.hpp"
#include "noise/sampling/random_words.hpp"

namespace tacit {

// The metric model's part of add_noise and reveal_to_owner: the engine's rows name the groups, which are public.
NoisyRows release_metric(const ExactRows& exact, const MechanismPlan& plan, RandomWords& words);
NoisyRows reveal_metric(const ExactRows& exact, const MechanismPlan& plan);

// Exact value and bound of every value cell, one row per group in key order: for the owner's eyes and for tests. Never
// on an analyst's path.
struct OwnerCell {
  double value = 0.0;
  double bound = 0.0;
};
std::vector<std::vector<OwnerCell>> reveal_bounds(const ExactRows& exact, const MechanismPlan& plan);

}  // namespace tacit
