#pragma once

#include <memory>

#include "base/int128.hpp"
#include "base/units.hpp"
#include "noise/sampling/grid_sampler.hpp"
#include "noise/sampling/random_words.hpp"

namespace tacit {

// Adds two-sided geometric noise X, P(X = k) = (1-r)/(1+r) r^|k|, r = exp(-epsilon / sensitivity), with exactly that
// law: integer arithmetic on epsilon = m 2^e as the rational it is. Results are clamped to 38 digits
// (release_range.hpp). Proof: mechanism/geometric.md.
//
// Preconditions
//   1. epsilon > 0 and finite.
//   2. sensitivity > 0.
class GeometricSampler final : public GridSampler {
 public:
  GeometricSampler(Epsilon epsilon, Int128 sensitivity);
  ~GeometricSampler() override;
  GeometricSampler(const GeometricSampler&) = delete;
  GeometricSampler& operator=(const GeometricSampler&) = delete;

  Int128 draw(Int128 centre, RandomWords& words) const override;
  // One-sided: P(G = k) = (1-r) r^k for k >= 0, everything from 2^128 - 1 on as that.
  UInt128 draw_one_sided(RandomWords& words) const { return magnitude_->draw(words); }

  // One-sided: P(G = k) = (1-r) r^k. Draws 2^128 - 1 for everything from there on.
  class Magnitude {
   public:
    virtual ~Magnitude() = default;
    virtual UInt128 draw(RandomWords& words) const = 0;
  };

 private:
  std::unique_ptr<const Magnitude> magnitude_;
};

}  // namespace tacit
