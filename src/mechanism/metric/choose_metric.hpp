#pragma once

#include <optional>

#include "base/result.hpp"
#include "base/units.hpp"
#include "mechanism/mechanism_plan.hpp"

namespace tacit {

// The noise for a metric analysis: epsilon of one output is epsilon / divisor, beta a share of it. `wanted` is a law
// for bounds, and the smallest where there is none; refuses it where its conditions do not hold. Looks at the query
// text, the policy, epsilon and delta only. Proof: choose_metric.md.
Result<MechanismPlan> choose_metric_mechanism(AnalyzedQuery analyzed, Epsilon epsilon, Delta delta,
                                              std::optional<NoiseLaw> wanted);

// |noise| of one cell stays below this times its bound c with that probability.
double metric_noise_magnitude(const MetricNoise& noise, double probability);

}  // namespace tacit
