#pragma once

#include <cstddef>
#include <vector>

namespace tacit {

// An interval for a quantile from noisy counts of people in rings around a place that was released before: the place
// itself, then 1, 2, 4, ... places to each side. Guarantee and proof: rank_interval.md.
struct Ring {
  int first = 0;  // places
  int last = 0;
};

// In order, from place 0 to the last of `places`. 0 <= centre < places.
std::vector<Ring> rings_around(int centre, int places);

// The search for the ends. `counts`: noisy, one per ring, each with noise of scale `noise_scale` (two-sided geometric,
// or Laplace) on the true one. Returns the rings between which the quantile lies, both included, with probability 0.95.
//
// Preconditions
//   1. 0 < fraction < 1; noise_scale > 0; as many counts as rings.
//   2. counts[centre] is the ring of the place that was released.
struct RingRange {
  std::size_t first = 0;
  std::size_t last = 0;
};
RingRange rings_of_quantile(const std::vector<double>& counts, std::size_t centre, double fraction, double noise_scale);

// With probability 1 - failure at least, a sum of independent noises of scale 1, of which `below` count (1 - fraction)
// fold and `above` count -fraction fold, stays below this: Chernoff's bound.
double rank_noise_up(std::size_t below, std::size_t above, double fraction, double failure);

}  // namespace tacit
