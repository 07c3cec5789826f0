#pragma once

#include <memory>

#include "base/int128.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "noise/random_words.hpp"

namespace tacit {

// The noise of one aggregate's cells, in units of its grid: independent at every call.
class CellNoise {
 public:
  virtual ~CellNoise() = default;
  virtual Int128 add_to(Int128 exact, RandomWords& words) const = 0;

  // A width h with P(|released - exact| <= h) >= coverage, 0 < coverage < 1.
  virtual Int128 half_width(double coverage) const = 0;
};

// Preconditions: plan.epsilon positive and finite, plan.sensitivity_units > 0.
std::unique_ptr<const CellNoise> cell_noise(const AggregatePlan& plan);

}  // namespace tacit
