#pragma once

#include <cstdint>
#include <memory>

#include "base/int128.hpp"
#include "noise/sampling/exact_number.hpp"
#include "noise/sampling/grid_sampler.hpp"
#include "noise/sampling/quantile_law.hpp"
#include "noise/sampling/random_words.hpp"

namespace tacit {

// Draws  R = floor(centre + scale * Y + 1/2),  Y of the given law, with exactly that distribution; all numbers in units
// of the release grid. The result is clamped to 38 digits (release_range.hpp).
//
// Lazy refinement: a fair sign and the first bits of the uniform V give an interval that contains centre + scale * Y,
// first in double, then in MPFR of growing precision; more bits are drawn until the whole interval rounds to one grid
// point. There is no last bit and no special case, so the law is the ideal one. Proof: rounded_sampler.md.
//
// Preconditions
//   1. The law keeps the promises of quantile_law.hpp.
//   2. scale > 0.
//   3. The processor rounds to nearest (checked).
// A scale that depends on private data is given as its own sampler; the guarantee then rests on the mechanism's proof.
class RoundedSampler final : public GridSampler {
 public:
  RoundedSampler(std::shared_ptr<const QuantileLaw> law, ExactNumber scale);

  Int128 draw(Int128 centre, RandomWords& words) const override;
  Int128 draw(const ExactNumber& centre, RandomWords& words) const;

 private:
  // What is known after the first word: the sign of the noise, and V in [bits, bits + 1] / 2^63.
  struct FirstBits {
    explicit FirstBits(std::uint64_t word) : negative((word & 1) != 0), bits(word >> 1) {}
    bool negative;
    std::uint64_t bits;
  };
  DoubleInterval noise_in_double(FirstBits first) const;
  void magnitude_in_mpfr(const BigInteger& bits, int bit_count, PreciseInterval& magnitude) const;
  Int128 refine(const BigInteger& whole, const ExactNumber* rest, FirstBits first, RandomWords& words) const;

  std::shared_ptr<const QuantileLaw> law_;
  ExactNumber scale_;
  DoubleInterval scale_in_double_;
};

}  // namespace tacit
