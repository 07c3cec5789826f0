#pragma once

#include <memory>
#include <variant>

#include "base/units.hpp"
#include "mechanism/noise_law.hpp"
#include "noise/sampling/grid_sampler.hpp"
#include "noise/sampling/quantile_law.hpp"

namespace tacit {

// The half of a noise law that draws (the other: mechanism/noise_rule.hpp). One of

// a continuous Y; rounded_sampler.hpp draws f + scale * Y, rounded to the grid. Where the law's shape depends on the
// price, it is that for epsilon and beta;
struct ContinuousLaw {
  std::shared_ptr<const QuantileLaw> (*of)(Epsilon epsilon, Beta beta);
};

// a law on the integers of scale sensitivity / epsilon;
struct IntegerLaw {
  std::unique_ptr<const GridSampler> (*of)(Epsilon epsilon, Int128 sensitivity);
};

// a choice among public values, drawn where the values are known.
struct ChoiceByRank {};

using LawSampler = std::variant<ContinuousLaw, IntegerLaw, ChoiceByRank>;

#define TACIT_DECLARE_SAMPLER(law) LawSampler law##_sampler();
TACIT_NOISE_LAWS(TACIT_DECLARE_SAMPLER)
#undef TACIT_DECLARE_SAMPLER

const LawSampler& sampler_of(NoiseLaw law);

// Of a continuous law.
std::shared_ptr<const QuantileLaw> quantile_law(NoiseLaw law, Epsilon epsilon, Beta beta);

// Noise of scale sensitivity / epsilon grid steps, for a StepNoise (mechanism/noise_rule.hpp).
// Preconditions: epsilon > 0 and finite, sensitivity > 0.
std::unique_ptr<const GridSampler> step_sampler(NoiseLaw law, Epsilon epsilon, Int128 sensitivity);

}  // namespace tacit
