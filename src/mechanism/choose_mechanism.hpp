#pragma once

#include <optional>

#include "base/result.hpp"
#include "base/units.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "mechanism/noise_law.hpp"

namespace tacit {

// What a question may cost, and what its owner asks for.
struct NoiseWish {
  Epsilon epsilon;
  Delta delta;
  std::optional<NoiseLaw> metric = {};  // in the metric model; empty: the smallest
};

// The noise of the query's model. Looks at the query text, the policy, epsilon and delta only.
Result<MechanismPlan> choose_mechanism(AnalyzedQuery analyzed, const NoiseWish& wish);

}  // namespace tacit
