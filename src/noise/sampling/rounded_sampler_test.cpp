#include "noise/sampling/rounded_sampler.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/check.hpp"
#include "noise/sampling/laplace_law.hpp"
#include "noise/sampling/precise_interval.hpp"
#include "noise/sampling/release_range.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {
namespace {

constexpr std::uint64_t all_ones = ~std::uint64_t{0};
constexpr std::uint64_t sentinel = 0x5e471e15e471e15eULL;

RoundedSampler laplace(double scale) { return {laplace_law(), ExactNumber::of(scale)}; }

ExactNumber two_to(int exponent) { return ExactNumber::of(std::ldexp(1.0, exponent)); }

// Draws from the scripted words and checks how many of them were used: the next word must be the sentinel.
template <class Centre>
Int128 draw_using_exactly(std::vector<std::uint64_t> script, const RoundedSampler& sampler, const Centre& centre) {
  script.push_back(sentinel);
  ScriptedEntropy entropy(script);
  RandomWords words(entropy);
  const Int128 result = sampler.draw(centre, words);
  EXPECT_EQ(words.word(), sentinel) << "another number of words was used";
  return result;
}

// The words whose V equals exp(-magnitude) to 63 + 64 * more bits, rounded down; sign bit 0 (noise added).
std::vector<std::uint64_t> words_at(double magnitude, int more) {
  const int bits = 63 + 64 * more;
  PreciseNumber v(bits + 200);
  mpfr_set_d(v.get(), -magnitude, MPFR_RNDN);
  mpfr_exp(v.get(), v.get(), MPFR_RNDN);
  std::vector<std::uint64_t> words;
  for (int i = 0; i <= more; ++i) {
    const int width = i == 0 ? 63 : 64;
    mpfr_mul_2ui(v.get(), v.get(), static_cast<unsigned long>(width), MPFR_RNDN);
    PreciseNumber whole(bits + 200);
    mpfr_floor(whole.get(), v.get());
    const std::uint64_t word = mpfr_get_ui(whole.get(), MPFR_RNDD);
    words.push_back(i == 0 ? word << 1 : word);
    mpfr_sub(v.get(), v.get(), whole.get(), MPFR_RNDN);
  }
  return words;
}

TEST(RoundedSampler, OneWordDecidesAnOrdinaryDraw) {
  // V in the middle: |Y| = ln 2.
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63}, laplace(100.0), Int128{1000}) == 1000 + 69);
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63 | 1}, laplace(100.0), Int128{1000}) == 1000 - 69);
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63}, laplace(0.001), Int128{-7}) == -7);
}

TEST(RoundedSampler, ATieIsRefinedUntilTheBitsDecide) {
  for (const int more : {0, 1, 3, 9}) {
    for (const double tie : {0.5, 3.5, 17.5, 30.5}) {
      // V agrees with the tie in 63 + 64 * more bits. The next word puts it below (more noise) or above (less).
      auto below = words_at(tie, more);
      auto above = below;
      below.push_back(0);
      above.push_back(all_ones);
      const auto up = static_cast<Int128>(tie + 0.5);
      EXPECT_TRUE(draw_using_exactly(below, laplace(1.0), Int128{10}) == 10 + up);
      EXPECT_TRUE(draw_using_exactly(above, laplace(1.0), Int128{10}) == 10 + up - 1);
      below.front() |= 1;
      above.front() |= 1;
      EXPECT_TRUE(draw_using_exactly(below, laplace(1.0), Int128{10}) == 10 - up);
      EXPECT_TRUE(draw_using_exactly(above, laplace(1.0), Int128{10}) == 10 - up + 1);
    }
  }
}

TEST(RoundedSampler, OffGridCentresAreRefinedAtTheirOwnTies) {
  // Centre 7.25: the tie 8.5 is at noise 1.25.
  const auto centre = [] { return ExactNumber::of(7.25); };
  for (const int more : {0, 2}) {
    auto below = words_at(1.25, more);
    auto above = below;
    below.push_back(0);
    above.push_back(all_ones);
    EXPECT_TRUE(draw_using_exactly(below, laplace(1.0), centre()) == 9);
    EXPECT_TRUE(draw_using_exactly(above, laplace(1.0), centre()) == 8);
  }
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63}, laplace(1.0), centre()) == 8);      // 7.25 + 0.693
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63 | 1}, laplace(1.0), centre()) == 7);  // 7.25 - 0.693
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63}, laplace(0x1p-1060), ExactNumber::of(-0.25)) == 0);
}

TEST(RoundedSampler, ACentreOnATieIsDecidedByTheSignOfTheNoise) {
  // 2.5 with noise far below one step. Up: 3 (also at the tie itself); down: 2.
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63}, laplace(0x1p-40), ExactNumber::of(2.5)) == 3);
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63 | 1}, laplace(0x1p-40), ExactNumber::of(2.5)) == 2);
}

TEST(RoundedSampler, ZeroBitsMeanDeepTailNotInfinity) {
  // V = 2^-192: |Y| = 192 ln 2 = 133.08.
  const std::uint64_t half = std::uint64_t{1} << 63;
  const Int128 result = draw_using_exactly({0, 0, 0, half}, laplace(1.0), Int128{0});
  EXPECT_TRUE(result == 133);
  EXPECT_TRUE(draw_using_exactly({1, 0, 0, half}, laplace(1.0), Int128{0}) == -133);
}

TEST(RoundedSampler, HugeScalesKeepEveryUnit) {
  // Scale 2^100: V = 1/2 and many zero bits: noise = 2^100 ln 2, known to the unit.
  PreciseNumber expected(300);
  mpfr_const_log2(expected.get(), MPFR_RNDN);
  mpfr_mul_2ui(expected.get(), expected.get(), 100, MPFR_RNDN);
  mpfr_round(expected.get(), expected.get());
  char* text = nullptr;
  mpfr_asprintf(&text, "%.0Rf", expected.get());
  const RoundedSampler sampler(laplace_law(), two_to(100));
  const Int128 result = draw_using_exactly({std::uint64_t{1} << 63, 0}, sampler, Int128{0});
  EXPECT_EQ(to_string(result), text);
  mpfr_free_str(text);
}

TEST(RoundedSampler, StopsAtTheReleaseLimit) {
  const RoundedSampler astronomic(laplace_law(), two_to(900));
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63}, astronomic, Int128{0}) == largest_release);
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63 | 1}, astronomic, Int128{0}) == -largest_release);
  // V in [0, 2^-63]: the upper end is infinite, but both ends are beyond the limit.
  EXPECT_TRUE(draw_using_exactly({0}, astronomic, Int128{0}) == largest_release);
  const auto far = std::numeric_limits<Int128>::max();
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63}, laplace(1.0), far) == largest_release);
  const auto beyond = [](double sign) { return ExactNumber::product(ExactNumber::of(sign), two_to(200)); };
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63}, laplace(1.0), beyond(1.0)) == largest_release);
  EXPECT_TRUE(draw_using_exactly({std::uint64_t{1} << 63}, laplace(1.0), beyond(-1.0)) == -largest_release);
}

TEST(RoundedSampler, NoiseBringsACentreBeyondTheLimitBackExactly) {
  // Centre 2^130, noise -2^130 (1 + 2^-20): a result in the middle of the range although neither part is in it.
  const RoundedSampler sampler(laplace_law(), two_to(130));
  const double magnitude = 1.0 + 0x1p-20;
  auto script = words_at(magnitude, 3);
  script.front() |= 1;
  const Int128 result = draw_using_exactly({script[0], script[1], script[2]}, sampler,
                                           ExactNumber::product(ExactNumber::of(1.0), two_to(130)));
  EXPECT_TRUE(result == -(Int128{1} << 110));
}

// floor(centre + sign * scale * -ln V + 1/2) in 1000 bits from as many words as are needed: an independent check.
Int128 reference_draw(Int128 centre, Int128 sensitivity, double epsilon, RandomWords& words, int& words_used) {
  const std::uint64_t first = words.word();
  PreciseNumber v(1200);
  mpfr_set_ui(v.get(), first >> 1, MPFR_RNDN);
  for (words_used = 1;; ++words_used) {
    std::array<Int128, 2> ends{};
    for (unsigned long end = 0; end < 2; ++end) {
      PreciseNumber x(1200);
      PreciseNumber scale(1200);
      mpfr_add_ui(x.get(), v.get(), end, MPFR_RNDN);
      mpfr_div_2ui(x.get(), x.get(), static_cast<unsigned long>(63 + 64 * (words_used - 1)), MPFR_RNDN);
      mpfr_log(x.get(), x.get(), MPFR_RNDN);
      EXPECT_EQ(mpfr_set_str(scale.get(), to_string(sensitivity).c_str(), 10, MPFR_RNDN), 0);
      mpfr_div_d(scale.get(), scale.get(), epsilon, MPFR_RNDN);
      mpfr_mul(x.get(), x.get(), scale.get(), MPFR_RNDN);
      if ((first & 1) == 0) mpfr_neg(x.get(), x.get(), MPFR_RNDN);
      mpfr_add_d(x.get(), x.get(), 0.5, MPFR_RNDN);
      mpfr_floor(x.get(), x.get());
      char* text = nullptr;
      mpfr_asprintf(&text, "%.0Rf", x.get());
      ends[end] = parse_int128(text).value_or(0);
      mpfr_free_str(text);
    }
    if (ends[0] == ends[1]) return centre + ends[0];
    mpfr_mul_2ui(v.get(), v.get(), 64, MPFR_RNDN);
    mpfr_add_ui(v.get(), v.get(), words.word(), MPFR_RNDN);
  }
}

TEST(RoundedSampler, AgreesWithAThousandBits) {
  struct Case {
    Int128 sensitivity;
    double epsilon;
    int draws;
  };
  for (const Case& c :
       {Case{1, 1.0, 2000}, Case{3, 0.1, 2000}, Case{1, 1000.0, 500}, Case{1'000'000'000'000, 0.1, 1000},
        Case{Int128{1} << 55, 1.0 / 3.0, 500}, Case{Int128{1} << 90, 0.7, 300}}) {
    const RoundedSampler sampler(laplace_law(),
                                 ExactNumber::quotient(ExactNumber::of(c.sensitivity), ExactNumber::of(c.epsilon)));
    SeededEntropy source(99);
    RandomWords picks(source);
    for (int i = 0; i < c.draws; ++i) {
      const std::vector<std::uint64_t> script{picks.word(), picks.word(), picks.word(), picks.word(), picks.word()};
      ScriptedEntropy ours(script);
      ScriptedEntropy theirs(script);
      RandomWords our_words(ours);
      RandomWords their_words(theirs);
      int words_needed = 0;
      const Int128 expected = reference_draw(12345, c.sensitivity, c.epsilon, their_words, words_needed);
      ASSERT_TRUE(sampler.draw(Int128{12345}, our_words) == expected);
      ASSERT_EQ(our_words.word(), their_words.word()) << "not the least number of words: " << words_needed;
    }
  }
}

TEST(RoundedSampler, RefusesWhatIsNoScale) {
  EXPECT_THROW(laplace(0.0), InvariantBroken);
  EXPECT_THROW(laplace(-1.0), InvariantBroken);
  EXPECT_THROW(RoundedSampler(nullptr, ExactNumber::of(1.0)), InvariantBroken);
}

}  // namespace
}  // namespace tacit
