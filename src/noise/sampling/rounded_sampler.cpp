#include "noise/sampling/rounded_sampler.hpp"

#include <bit>
#include <cfenv>
#include <cmath>
#include <optional>

#include "base/check.hpp"
#include "noise/sampling/big_integer.hpp"
#include "noise/sampling/precise_interval.hpp"
#include "noise/sampling/release_range.hpp"

namespace tacit {
namespace {

constexpr int first_bit_count = 63;
constexpr int bits_per_refinement = 64;
// Bits of precision beyond those of V, so that rounding is never what keeps the interval wide.
constexpr mpfr_prec_t spare_precision = 64;

// The integer that every number of [lower, upper] rounds to, or nothing. Below 2^51 halves are exact in double.
std::optional<std::int64_t> common_rounding(DoubleInterval interval) {
  if (!(interval.lower > -0x1p51 && interval.upper < 0x1p51)) return std::nullopt;
  const auto candidate = static_cast<std::int64_t>(std::floor(interval.lower + 0.5));
  const auto centre = static_cast<double>(candidate);
  // The floor above is a guess (the sum may have been rounded); these comparisons are exact.
  if (interval.lower > centre - 0.5 && interval.upper < centre + 0.5) return candidate;
  return std::nullopt;
}

Int128 step_from(Int128 centre, std::int64_t steps) {
  return release_sum(centre, steps < 0, static_cast<UInt128>(steps < 0 ? -steps : steps));
}

// Doubles around n / 2^63 and (n + 1) / 2^63.
DoubleInterval tail_in_double(std::uint64_t n) {
  const int width = static_cast<int>(std::bit_width(n));
  const int surplus = width > 53 ? width - 53 : 0;
  const std::uint64_t top = n >> surplus;  // at most 53 bits, so top and top + 1 are doubles
  const double unit = static_cast<double>(std::uint64_t{1} << surplus) * 0x1p-63;
  return {static_cast<double>(top) * unit, static_cast<double>(top + 1) * unit};
}

// floor(x + 1/2) + whole, clamped to what is released; x is used up and may be infinite.
Int128 release_at(PreciseNumber& x, mpfr_rnd_t direction, const BigInteger& whole) {
  mpfr_add_d(x.get(), x.get(), 0.5, direction);
  if (mpfr_inf_p(x.get())) return mpfr_sgn(x.get()) > 0 ? largest_release : -largest_release;
  BigInteger sum;
  mpfr_get_z(sum.get(), x.get(), MPFR_RNDD);
  mpz_add(sum.get(), sum.get(), whole.get());
  if (const auto value = sum.to_int128()) return clamp_to_release(*value);
  return mpz_sgn(sum.get()) > 0 ? largest_release : -largest_release;
}

}  // namespace

RoundedSampler::RoundedSampler(std::shared_ptr<const QuantileLaw> law, ExactNumber scale)
    : law_(std::move(law)), scale_(std::move(scale)), scale_in_double_(scale_.enclosure()) {
  TACIT_CHECK(law_ != nullptr, "a sampler has a law");
  TACIT_CHECK(scale_.sign() > 0, "the scale of noise is positive");
  TACIT_CHECK(std::fegetround() == FE_TONEAREST, "the processor rounds to nearest");
}

DoubleInterval RoundedSampler::noise_in_double(FirstBits first) const {
  const DoubleInterval tail = tail_in_double(first.bits);
  const double smallest = multiply_down(law_->magnitude_at(tail.upper).lower, scale_in_double_.lower);
  const double largest = multiply_up(law_->magnitude_at(tail.lower).upper, scale_in_double_.upper);
  return first.negative ? DoubleInterval{-largest, -smallest} : DoubleInterval{smallest, largest};
}

Int128 RoundedSampler::draw(Int128 centre, RandomWords& words) const {
  const FirstBits first(words.word());
  if (const auto steps = common_rounding(noise_in_double(first))) return step_from(centre, *steps);
  BigInteger whole;
  whole.assign(centre);
  return refine(whole, nullptr, first, words);
}

Int128 RoundedSampler::draw(const ExactNumber& centre, RandomWords& words) const {
  BigInteger whole;
  const ExactNumber rest = centre.split_nearest(whole);
  const FirstBits first(words.word());
  if (const auto grid_point = whole.to_int128()) {
    const DoubleInterval noise = noise_in_double(first);
    const DoubleInterval offset = rest.enclosure();
    const DoubleInterval sum{add_down(noise.lower, offset.lower), add_up(noise.upper, offset.upper)};
    if (const auto steps = common_rounding(sum)) return step_from(*grid_point, *steps);
  }
  return refine(whole, &rest, first, words);
}

// Encloses scale * m(V) for V in [bits, bits + 1] / 2^bit_count. The larger V is the smaller noise.
void RoundedSampler::magnitude_in_mpfr(const BigInteger& bits, int bit_count, PreciseInterval& magnitude) const {
  const mpfr_prec_t precision = magnitude.lower.precision();  // > bit_count: the ends of V are exact
  PreciseNumber tail(precision);
  PreciseInterval operand(precision);
  mpfr_set_z_2exp(tail.get(), bits.get(), -bit_count, MPFR_RNDN);
  law_->magnitude_at(tail, operand);
  mpfr_swap(magnitude.upper.get(), operand.upper.get());

  BigInteger next;
  mpz_add_ui(next.get(), bits.get(), 1);
  mpfr_set_z_2exp(tail.get(), next.get(), -bit_count, MPFR_RNDN);
  law_->magnitude_at(tail, operand);
  mpfr_swap(magnitude.lower.get(), operand.lower.get());

  scale_.enclose(operand);
  mpfr_mul(magnitude.lower.get(), magnitude.lower.get(), operand.lower.get(), MPFR_RNDD);
  mpfr_mul(magnitude.upper.get(), magnitude.upper.get(), operand.upper.get(), MPFR_RNDU);
}

Int128 RoundedSampler::refine(const BigInteger& whole, const ExactNumber* rest, FirstBits first,
                              RandomWords& words) const {
  BigInteger bits;
  mpz_set_ui(bits.get(), first.bits);
  for (int bit_count = first_bit_count;; bit_count += bits_per_refinement) {
    const mpfr_prec_t precision = bit_count + spare_precision;
    PreciseInterval sum(precision);
    magnitude_in_mpfr(bits, bit_count, sum);
    if (first.negative) {
      mpfr_swap(sum.lower.get(), sum.upper.get());
      mpfr_neg(sum.lower.get(), sum.lower.get(), MPFR_RNDN);
      mpfr_neg(sum.upper.get(), sum.upper.get(), MPFR_RNDN);
    }
    if (rest != nullptr) {
      PreciseInterval offset(precision);
      rest->enclose(offset);
      mpfr_add(sum.lower.get(), sum.lower.get(), offset.lower.get(), MPFR_RNDD);
      mpfr_add(sum.upper.get(), sum.upper.get(), offset.upper.get(), MPFR_RNDU);
    }
    const Int128 least = release_at(sum.lower, MPFR_RNDD, whole);
    if (least == release_at(sum.upper, MPFR_RNDU, whole)) return least;

    mpz_mul_2exp(bits.get(), bits.get(), bits_per_refinement);
    mpz_add_ui(bits.get(), bits.get(), words.word());
  }
}

}  // namespace tacit
