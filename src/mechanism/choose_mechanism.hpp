#pragma once

#include "base/result.hpp"
#include "base/units.hpp"
#include "mechanism/mechanism_plan.hpp"

namespace tacit {

// The laws an owner may ask for in the metric model. `automatic`: Laplace where one number bounds every database, else
// power-Laplace.
enum class MetricMechanism { automatic, power_laplace, laplace, gen_cauchy, student_t, laplace_delta };

// The noise for a metric analysis: epsilon of one output is epsilon / load, beta a share of it. Refuses a law whose
// conditions do not hold. Looks at the query text, the policy, epsilon and delta only. Proof: choose_metric.md.
Result<MechanismPlan> choose_metric_mechanism(AnalyzedQuery analyzed, Epsilon epsilon, Delta delta,
                                              MetricMechanism wanted);

// |noise| of one cell stays below this times its bound c with that probability.
double metric_noise_magnitude(const MetricNoise& noise, double probability);

// Divides epsilon among the aggregates in equal shares and gives each the sound law with the least expected error.
// Looks at the query text, the policy and epsilon only. Proof: choose_mechanism.md.
MechanismPlan choose_mechanism(AnalyzedQuery analyzed, Epsilon epsilon);

// The largest double e with parts * e <= total in exact arithmetic.
Epsilon share_down(Epsilon total, std::size_t parts);

// |noise| of one engine cell in grid units is at most this with probability `coverage` (rounded up).
double noise_quantile(const AggregatePlan& plan, double coverage);

}  // namespace tacit
