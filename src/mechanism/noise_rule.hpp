#pragma once

#include <optional>

#include "base/int128.hpp"
#include "base/units.hpp"
#include "mechanism/noise_law.hpp"

namespace tacit {

// Noise for a number that moves by at most `sensitivity` steps of its grid, on any database: release f + X on the grid,
// X of scale sensitivity / epsilon. The guarantee is epsilon, in the l1 norm where several numbers move.
//
// Preconditions: epsilon > 0 and finite, sensitivity > 0, 0 < probability (or coverage) < 1.
class StepNoise {
 public:
  virtual ~StepNoise() = default;
  // |X| before it is rounded to the grid stays below this, or at it, with that probability.
  virtual double magnitude(Epsilon epsilon, Int128 sensitivity, double probability) const = 0;
  // A width h with P(|release - f| <= h) >= coverage for f on the grid; rounded up.
  virtual Int128 half_width(Epsilon epsilon, Int128 sensitivity, double coverage) const = 0;
};

// Noise for a vector that moves by at most 1 in the l2 norm: release f + s Z, each number rounded to its grid. The
// guarantee is epsilon and delta.
//
// Preconditions: epsilon > 0 and finite, 0 < delta < 1, 0 < probability (or coverage) < 1.
class VectorNoise {
 public:
  virtual ~VectorNoise() = default;
  virtual double deviation_up(Epsilon epsilon, Delta delta) const = 0;  // the least s, rounded up
  virtual double magnitude_up(double probability) const = 0;            // |Z| stays below this with that probability
  virtual double mean_magnitude() const = 0;                            // of Z
  // As of StepNoise, for a deviation in grid units.
  virtual Int128 half_width(double deviation, double coverage) const = 0;
};

// Noise for a number whose derivative is bounded by c, in units of the answer: release f + (c / b) Y. The guarantee is
// epsilon per unit of distance.
//
// Preconditions: epsilon > 0 and finite, beta >= 0 and finite, 0 <= delta < 1, 0 < probability < 1, and b is what
// b_down gives for the same price.
class BoundNoise {
 public:
  virtual ~BoundNoise() = default;
  // Whether c may move with the data, ln c by at most beta > 0 per unit of distance. Else c is one number for every
  // database, and beta is 0.
  virtual bool is_smooth() const = 0;
  virtual bool costs_delta() const = 0;  // beside epsilon, for each output
  // The largest b for this price, rounded down; nothing if there is none.
  virtual std::optional<double> b_down(Epsilon epsilon, Beta beta, Delta delta) const = 0;
  // |Y| / b stays below this with that probability.
  virtual double magnitude(Epsilon epsilon, Beta beta, double b, double probability) const = 0;
};

// A noise law as an object: all of it that needs no random words. No function has a default: a law that leaves one out
// does not compile. Nobody asks which law it is to learn what it can do.
class NoiseRule {
 public:
  NoiseRule() = default;
  NoiseRule(const NoiseRule&) = delete;
  NoiseRule& operator=(const NoiseRule&) = delete;
  virtual ~NoiseRule() = default;

  virtual const char* name() const = 0;        // for people, and for owners who ask for it
  virtual const char* proof_note() const = 0;  // its path from src/

  // What it is scaled by; null where it has no proof for that.
  virtual const StepNoise* for_steps() const = 0;
  virtual const VectorNoise* for_vectors() const = 0;
  virtual const BoundNoise* for_bounds() const = 0;

  // One of public values is chosen, and no number has noise.
  bool is_choice() const { return for_steps() == nullptr && for_vectors() == nullptr && for_bounds() == nullptr; }
};

#define TACIT_DECLARE_RULE(law) const NoiseRule& law##_rule();
TACIT_NOISE_LAWS(TACIT_DECLARE_RULE)
#undef TACIT_DECLARE_RULE

const NoiseRule& rule_of(NoiseLaw law);

// The law must be for that.
const StepNoise& step_noise(NoiseLaw law);
const VectorNoise& vector_noise(NoiseLaw law);
const BoundNoise& bound_noise(NoiseLaw law);

}  // namespace tacit
