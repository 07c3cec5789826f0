#pragma once

#include "mechanism/noise_rule.hpp"

namespace tacit {

// A law that is for bounds that move with the data and nothing else, and costs no delta.
class SmoothBoundRule : public NoiseRule, public BoundNoise {
 public:
  const StepNoise* for_steps() const final { return nullptr; }
  const VectorNoise* for_vectors() const final { return nullptr; }
  const BoundNoise* for_bounds() const final { return this; }
  bool is_smooth() const final { return true; }
  bool costs_delta() const final { return false; }
};

}  // namespace tacit
