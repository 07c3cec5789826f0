#pragma once

#include "base/int128.hpp"
#include "noise/sampling/random_words.hpp"

namespace tacit {

// Adds noise of one law and scale to a number of grid steps; the sum is again one, of at most 38 digits
// (release_range.hpp).
class GridSampler {
 public:
  virtual ~GridSampler() = default;
  virtual Int128 draw(Int128 centre, RandomWords& words) const = 0;
};

}  // namespace tacit
