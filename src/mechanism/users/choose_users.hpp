#pragma once

#include <optional>

#include "base/result.hpp"
#include "mechanism/mechanism_plan.hpp"

namespace tacit {

// Divides (epsilon, delta) among the choice of groups, inferred bounds and aggregates, and gives each the sound law
// with the least expected error: Laplace (or geometric) for all, or Gaussian for all that can have it. Looks at the
// query text, the policy, epsilon and delta only. Refuses private keys with delta 0. Proof: choose_users.md.
Result<MechanismPlan> choose_users_mechanism(AnalyzedQuery analyzed, Epsilon epsilon, Delta delta);

// How many users a private group has that is shown every other time; empty where no number is enough.
std::optional<double> shown_half_of_the_time(const UsersPlan& plan);

}  // namespace tacit
