#include "noise/sampling/geometric_sampler.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/check.hpp"
#include "noise/sampling/big_integer.hpp"
#include "noise/sampling/exact_bernoulli.hpp"
#include "noise/sampling/law_sampler.hpp"
#include "noise/sampling/release_range.hpp"

namespace tacit {
namespace {

// Geometric with ratio exp(-p/q) from one with ratio exp(-1/q) (divide by p, round down), that from a uniform U below
// q kept with probability exp(-U/q), plus q times a geometric V with ratio exp(-1).

std::uint64_t geometric_of_ratio_exp_minus_one(RandomWords& words) {
  std::uint64_t successes = 0;
  while (bernoulli_exp(words, [] { return true; })) ++successes;
  return successes;
}

template <class Unsigned>
Unsigned uniform_kept_by_exp(Unsigned q, RandomWords& words) {
  for (;;) {
    const Unsigned candidate = words.below(q);
    if (bernoulli_exp(words, [&] { return words.below(q) < candidate; })) return candidate;
  }
}

constexpr UInt128 everything_beyond = std::numeric_limits<UInt128>::max();

// p and q in machine words: Unsigned is 64 or 128 bits, q one bit less.
template <class Unsigned>
class WordMagnitude final : public GeometricSampler::Magnitude {
 public:
  WordMagnitude(std::uint64_t p, Unsigned q) : p_(p), q_(q), whole_(q / p), rest_(static_cast<std::uint64_t>(q % p)) {}

  UInt128 draw(RandomWords& words) const override {
    const UInt128 uniform = uniform_kept_by_exp(q_, words);
    const std::uint64_t turns = geometric_of_ratio_exp_minus_one(words);
    // floor((uniform + q * turns) / p) = whole * turns + floor((uniform + rest * turns) / p)
    // The sum fits: uniform < 2^127, rest < 2^64, and turns was counted one by one, so it is below 2^63.
    const UInt128 dividend = uniform + UInt128{rest_} * turns;
    UInt128 result = 0;
    if (__builtin_mul_overflow(whole_, UInt128{turns}, &result) ||
        __builtin_add_overflow(result, divide_by_p(dividend), &result)) {
      return everything_beyond;
    }
    return result;
  }

 private:
  UInt128 divide_by_p(UInt128 dividend) const {
    if (p_ == 1) return dividend;
    if (dividend >> 64 == 0) return static_cast<std::uint64_t>(dividend) / p_;
    return dividend / p_;
  }

  std::uint64_t p_;
  Unsigned q_;
  UInt128 whole_;
  std::uint64_t rest_;
};

// The same for p and q of any size.
class BigMagnitude final : public GeometricSampler::Magnitude {
 public:
  BigMagnitude(const BigInteger& p, const BigInteger& q) {
    mpz_set(p_.get(), p.get());
    mpz_set(q_.get(), q.get());
  }

  UInt128 draw(RandomWords& words) const override {
    BigInteger sum;
    BigInteger other;
    do {
      draw_below_q(sum, words);
    } while (!bernoulli_exp(words, [&] {
      draw_below_q(other, words);
      return mpz_cmp(other.get(), sum.get()) < 0;
    }));
    mpz_addmul_ui(sum.get(), q_.get(), geometric_of_ratio_exp_minus_one(words));
    mpz_fdiv_q(sum.get(), sum.get(), p_.get());
    return sum.magnitude().value_or(everything_beyond);
  }

 private:
  void draw_below_q(BigInteger& result, RandomWords& words) const {
    const std::size_t width = mpz_sizeinbase(q_.get(), 2);
    do {
      mpz_set_ui(result.get(), 0);
      for (std::size_t drawn = 0; drawn < width; drawn += 64) {
        mpz_mul_2exp(result.get(), result.get(), 64);
        mpz_add_ui(result.get(), result.get(), words.word());
      }
      mpz_fdiv_r_2exp(result.get(), result.get(), width);
    } while (mpz_cmp(result.get(), q_.get()) >= 0);
  }

  BigInteger p_;
  BigInteger q_;
};

// epsilon / sensitivity = p/q in lowest terms, exactly.
void exact_rate(Epsilon epsilon, Int128 sensitivity, BigInteger& p, BigInteger& q) {
  int exponent = 0;
  const double mantissa = std::frexp(epsilon.value(), &exponent);
  mpz_set_d(p.get(), std::ldexp(mantissa, 53));
  exponent -= 53;
  q.assign(sensitivity);
  if (exponent > 0) {
    mpz_mul_2exp(p.get(), p.get(), static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpz_mul_2exp(q.get(), q.get(), static_cast<mp_bitcnt_t>(-exponent));
  }
  BigInteger common;
  mpz_gcd(common.get(), p.get(), q.get());
  mpz_divexact(p.get(), p.get(), common.get());
  mpz_divexact(q.get(), q.get(), common.get());
}

std::unique_ptr<const GeometricSampler::Magnitude> magnitude_for(Epsilon epsilon, Int128 sensitivity) {
  BigInteger p;
  BigInteger q;
  exact_rate(epsilon, sensitivity, p, q);
  const auto small_p = p.magnitude();
  const auto small_q = q.magnitude();
  if (small_p && small_q && *small_p >> 64 == 0) {
    const auto p_word = static_cast<std::uint64_t>(*small_p);
    if (*small_q >> 63 == 0) {
      return std::make_unique<WordMagnitude<std::uint64_t>>(p_word, static_cast<std::uint64_t>(*small_q));
    }
    if (*small_q >> 127 == 0) return std::make_unique<WordMagnitude<UInt128>>(p_word, *small_q);
  }
  return std::make_unique<BigMagnitude>(p, q);
}

}  // namespace

GeometricSampler::GeometricSampler(Epsilon epsilon, Int128 sensitivity) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(sensitivity > 0, "the sensitivity is positive");
  magnitude_ = magnitude_for(epsilon, sensitivity);
}

GeometricSampler::~GeometricSampler() = default;

Int128 GeometricSampler::draw(Int128 centre, RandomWords& words) const {
  for (;;) {
    const bool negative = words.bits(1) == 1;
    const UInt128 magnitude = magnitude_->draw(words);
    // Zero would be counted twice, as +0 and -0.
    if (negative && magnitude == 0) continue;
    return release_sum(centre, negative, magnitude);
  }
}

LawSampler geometric_sampler() {
  return IntegerLaw{[](Epsilon epsilon, Int128 sensitivity) -> std::unique_ptr<const GridSampler> {
    return std::make_unique<GeometricSampler>(epsilon, sensitivity);
  }};
}

}  // namespace tacit
