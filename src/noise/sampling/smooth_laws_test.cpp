// The laws of noise that is scaled by a smooth bound: their quantile functions against independent formulas, and the
// sampler against the distributions.
//
// False alarms. Tests on seeded entropy give the same verdict on every run. SystemEntropy makes 3 chi-square
// comparisons of fresh bits, each rejecting with probability about 1e-7 when all is well.
#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <memory>
#include <random>

#include "base/check.hpp"
#include "mechanism/gen_cauchy.hpp"
#include "mechanism/power_laplace.hpp"
#include "mechanism/student_t.hpp"
#include "noise/sampling/chi_square_testing.hpp"
#include "noise/sampling/gen_cauchy_law.hpp"
#include "noise/sampling/power_laplace_law.hpp"
#include "noise/sampling/precise_arithmetic.hpp"
#include "noise/sampling/rounded_sampler.hpp"
#include "noise/sampling/student_t_law.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {
namespace {

using Law = std::shared_ptr<const QuantileLaw>;
constexpr mpfr_prec_t reference_precision = 700;

// P(|Y| > m), rounded to nearest in many bits: written apart from the code that is tested.
using Tail = std::function<void(const PreciseNumber& m, PreciseNumber& tail)>;

struct LawAndTail {
  const char* name;
  Law law;
  Tail tail;
};

// The integral of the density from m on, by its antiderivatives with pow.
Tail power_laplace_tail(double epsilon, double beta) {
  return [=](const PreciseNumber& m, PreciseNumber& tail) {
    PreciseNumber k(reference_precision), inner(reference_precision), mass(reference_precision), x(reference_precision),
        y(reference_precision);
    mpfr_set_d(k.get(), epsilon, MPFR_RNDN);
    mpfr_div_d(k.get(), k.get(), beta, MPFR_RNDN);
    mpfr_ui_div(x.get(), 1, k.get(), MPFR_RNDN);
    mpfr_ui_sub(x.get(), 1, x.get(), MPFR_RNDN);
    mpfr_sub_ui(y.get(), k.get(), 1, MPFR_RNDN);
    mpfr_pow(inner.get(), x.get(), y.get(), MPFR_RNDN);  // (1 - 1/k)^(k-1)
    mpfr_div(mass.get(), inner.get(), k.get(), MPFR_RNDN);
    mpfr_mul_ui(mass.get(), mass.get(), 2, MPFR_RNDN);
    mpfr_add_ui(mass.get(), mass.get(), 1, MPFR_RNDN);
    mpfr_mul_d(x.get(), m.get(), epsilon, MPFR_RNDN);
    if (mpfr_cmp_ui(x.get(), 1) <= 0) {  // 1 - (1 - (1 - beta m)^k) / Z
      mpfr_mul_d(x.get(), m.get(), beta, MPFR_RNDN);
      mpfr_ui_sub(x.get(), 1, x.get(), MPFR_RNDN);
      mpfr_pow(x.get(), x.get(), k.get(), MPFR_RNDN);
      mpfr_ui_sub(x.get(), 1, x.get(), MPFR_RNDN);
      mpfr_div(x.get(), x.get(), mass.get(), MPFR_RNDN);
      mpfr_ui_sub(tail.get(), 1, x.get(), MPFR_RNDN);
      return;
    }
    // (1 - 1/k)^(k-1) (1 + 1/k)^(k+1) (1 + beta m)^-k / Z
    mpfr_ui_div(x.get(), 1, k.get(), MPFR_RNDN);
    mpfr_add_ui(x.get(), x.get(), 1, MPFR_RNDN);
    mpfr_add_ui(y.get(), k.get(), 1, MPFR_RNDN);
    mpfr_pow(tail.get(), x.get(), y.get(), MPFR_RNDN);
    mpfr_mul(tail.get(), tail.get(), inner.get(), MPFR_RNDN);
    mpfr_div(tail.get(), tail.get(), mass.get(), MPFR_RNDN);
    mpfr_mul_d(x.get(), m.get(), beta, MPFR_RNDN);
    mpfr_add_ui(x.get(), x.get(), 1, MPFR_RNDN);
    mpfr_pow(x.get(), x.get(), k.get(), MPFR_RNDN);
    mpfr_div(tail.get(), tail.get(), x.get(), MPFR_RNDN);
  };
}

// The form with two logarithms' quotient and two arcus tangents.
void gen_cauchy_tail(const PreciseNumber& m, PreciseNumber& tail) {
  PreciseNumber root(reference_precision), square(reference_precision), plus(reference_precision),
      minus(reference_precision), sum(reference_precision);
  mpfr_sqrt_ui(root.get(), 2, MPFR_RNDN);
  mpfr_sqr(square.get(), m.get(), MPFR_RNDN);
  mpfr_add_ui(square.get(), square.get(), 1, MPFR_RNDN);
  mpfr_mul(sum.get(), root.get(), m.get(), MPFR_RNDN);
  mpfr_add(plus.get(), square.get(), sum.get(), MPFR_RNDN);
  mpfr_sub(minus.get(), square.get(), sum.get(), MPFR_RNDN);
  mpfr_div(plus.get(), plus.get(), minus.get(), MPFR_RNDN);
  mpfr_log(tail.get(), plus.get(), MPFR_RNDN);
  mpfr_div_ui(tail.get(), tail.get(), 2, MPFR_RNDN);
  for (const int shift : {1, -1}) {
    mpfr_add_si(plus.get(), sum.get(), shift, MPFR_RNDN);
    mpfr_atan(plus.get(), plus.get(), MPFR_RNDN);
    mpfr_add(tail.get(), tail.get(), plus.get(), MPFR_RNDN);
  }
  mpfr_const_pi(root.get(), MPFR_RNDN);
  mpfr_div(tail.get(), tail.get(), root.get(), MPFR_RNDN);
  mpfr_ui_sub(tail.get(), 1, tail.get(), MPFR_RNDN);
}

// 1 - (2/pi) (t + sin(t) cos(t)) with tan(t) = m / sqrt(3).
void student_tail(const PreciseNumber& m, PreciseNumber& tail) {
  PreciseNumber angle(reference_precision), sine(reference_precision), cosine(reference_precision);
  mpfr_sqrt_ui(angle.get(), 3, MPFR_RNDN);
  mpfr_div(angle.get(), m.get(), angle.get(), MPFR_RNDN);
  mpfr_atan(angle.get(), angle.get(), MPFR_RNDN);
  mpfr_sin_cos(sine.get(), cosine.get(), angle.get(), MPFR_RNDN);
  mpfr_mul(sine.get(), sine.get(), cosine.get(), MPFR_RNDN);
  mpfr_add(angle.get(), angle.get(), sine.get(), MPFR_RNDN);
  mpfr_mul_ui(angle.get(), angle.get(), 2, MPFR_RNDN);
  mpfr_const_pi(cosine.get(), MPFR_RNDN);
  mpfr_div(angle.get(), angle.get(), cosine.get(), MPFR_RNDN);
  mpfr_ui_sub(tail.get(), 1, angle.get(), MPFR_RNDN);
}

LawAndTail power_laplace(const char* name, double epsilon, double beta) {
  return {name, power_laplace_law(Epsilon(epsilon), Beta(beta)), power_laplace_tail(epsilon, beta)};
}

// Ratios of beta and epsilon at both ends and where v* is a short fraction.
std::vector<LawAndTail> power_laplaces() {
  return {power_laplace("power 1, 0.1", 1.0, 0.1),
          power_laplace("power 0.5, 0.2", 0.5, 0.2),
          power_laplace("power 1, 0.5: v* = 1/2", 1.0, 0.5),
          power_laplace("power 3, 2.9999", 3.0, 2.9999),
          power_laplace("power 1, next below 1", 1.0, std::nextafter(1.0, 0.0)),
          power_laplace("power 1, 1e-9", 1.0, 1e-9),
          power_laplace("power 1e-6, 1e-7", 1e-6, 1e-7),
          power_laplace("power 2000, 30", 2000.0, 30.0)};
}

std::vector<LawAndTail> all_laws() {
  std::vector<LawAndTail> laws = power_laplaces();
  laws.push_back({"generalized Cauchy", gen_cauchy_law(), gen_cauchy_tail});
  laws.push_back({"Student", student_t_law(), student_tail});
  return laws;
}

// lower <= m(v) <= upper, told by the tails at the ends, up to the last bits of the reference.
void expect_encloses(const LawAndTail& c, const PreciseNumber& v, const PreciseNumber& lower,
                     const PreciseNumber& upper) {
  PreciseNumber tail(reference_precision), slack(reference_precision);
  mpfr_set_ui_2exp(slack.get(), 1, -500, MPFR_RNDN);
  ASSERT_GE(mpfr_sgn(lower.get()), 0) << c.name;
  if (mpfr_sgn(lower.get()) > 0) {
    c.tail(lower, tail);
    mpfr_add(tail.get(), tail.get(), slack.get(), MPFR_RNDN);
    ASSERT_GE(mpfr_cmp(tail.get(), v.get()), 0) << c.name << " lower end, v = " << mpfr_get_d(v.get(), MPFR_RNDN);
  }
  if (!mpfr_inf_p(upper.get())) {
    c.tail(upper, tail);
    mpfr_sub(tail.get(), tail.get(), slack.get(), MPFR_RNDN);
    ASSERT_LE(mpfr_cmp(tail.get(), v.get()), 0) << c.name << " upper end, v = " << mpfr_get_d(v.get(), MPFR_RNDN);
  }
}

// Relative width 2^-bits or better.
void expect_narrow(const LawAndTail& c, const PreciseInterval& magnitude, int bits) {
  PreciseNumber width(reference_precision), allowed(reference_precision);
  mpfr_sub(width.get(), magnitude.upper.get(), magnitude.lower.get(), MPFR_RNDU);
  mpfr_mul_2si(allowed.get(), magnitude.lower.get(), -bits, MPFR_RNDN);
  ASSERT_LE(mpfr_cmp(width.get(), allowed.get()), 0) << c.name;
}

// Tails of every size, near 1, and around a half.
std::vector<double> some_tails(int count) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<double> tails{0.5,     next_down(0.5), next_up(0.5), 0.25,   1.0 - 0x1p-53,
                            0x1p-63, 0x1p-300,       1.0 / 3,      2.0 / 3};
  for (int i = 0; i < count; ++i) {
    tails.push_back(unit(random));
    tails.push_back(std::exp2(-100 * unit(random)));
    tails.push_back(1.0 - std::exp2(-53 * unit(random)));
  }
  std::erase_if(tails, [](double v) { return v <= 0.0 || v >= 1.0; });
  return tails;
}

// Doubles on both sides of v* and the closest ones to it.
std::vector<double> tails_around_join(double epsilon, double beta) {
  const long double kappa = static_cast<long double>(beta) / epsilon;
  const long double inner = std::exp((epsilon - static_cast<long double>(beta)) / beta * std::log1p(-kappa));
  std::vector<double> tails;
  auto v = static_cast<double>(inner * (1 + kappa) / (1 + 2 * kappa * inner));
  for (int i = 0; i < 8; ++i) v = next_down(v);
  for (int i = 0; i < 16; ++i) tails.push_back(v = next_up(v));
  return tails;
}

void check_both_enclosures(const LawAndTail& c, const std::vector<double>& tails) {
  for (const double v : tails) {
    PreciseNumber exact(53);
    mpfr_set_d(exact.get(), v, MPFR_RNDN);
    const DoubleInterval doubles = c.law->magnitude_at(v);
    PreciseNumber lower(53), upper(53);
    mpfr_set_d(lower.get(), doubles.lower, MPFR_RNDN);
    mpfr_set_d(upper.get(), doubles.upper, MPFR_RNDN);
    expect_encloses(c, exact, lower, upper);
    for (const mpfr_prec_t precision : {64, 127, 255}) {
      PreciseInterval magnitude(precision);
      c.law->magnitude_at(exact, magnitude);
      expect_encloses(c, exact, magnitude.lower, magnitude.upper);
      expect_narrow(c, magnitude, static_cast<int>(precision) - 8);
    }
  }
}

TEST(SmoothLaws, BothEnclosuresContainTheQuantileAndShrink) {
  for (const LawAndTail& c : all_laws()) check_both_enclosures(c, some_tails(60));
}

TEST(SmoothLaws, TheDoubleEnclosureIsNarrow) {
  for (const LawAndTail& c : all_laws()) {
    for (const double v : some_tails(60)) {
      const DoubleInterval magnitude = c.law->magnitude_at(v);
      const double allowed = 1e-14 * (10 - std::log(v)) * magnitude.upper;  // libm's allowance times the exponent
      EXPECT_LE(magnitude.upper - magnitude.lower, allowed) << c.name << " " << v;
    }
  }
}

TEST(SmoothLaws, PowerLaplaceIsEnclosedWhereItsBranchesMeet) {
  struct Case {
    double epsilon, beta;
  };
  for (const Case& c : {Case{1, 0.1}, Case{1, 0.5}, Case{0.5, 0.2}, Case{3, 2.9999}, Case{1, std::nextafter(1.0, 0.0)},
                        Case{1, 1e-9}, Case{1, 1e-40}}) {
    check_both_enclosures(power_laplace("power at v*", c.epsilon, c.beta), tails_around_join(c.epsilon, c.beta));
  }
}

TEST(SmoothLaws, AnExactlyHitJoinShrinksToItsValue) {
  // epsilon = 2 beta: v* = 1/2 and m(1/2) = 1 / epsilon, which no precision tells from either side.
  const auto law = power_laplace_law(Epsilon(2.0), Beta(1.0));
  PreciseNumber half(53);
  mpfr_set_d(half.get(), 0.5, MPFR_RNDN);
  for (const mpfr_prec_t precision : {60, 200, 900}) {
    PreciseInterval magnitude(precision);
    law->magnitude_at(half, magnitude);
    EXPECT_LE(mpfr_cmp_d(magnitude.lower.get(), 0.5), 0);
    EXPECT_GE(mpfr_cmp_d(magnitude.upper.get(), 0.5), 0);
    PreciseNumber width(precision);
    mpfr_sub(width.get(), magnitude.upper.get(), magnitude.lower.get(), MPFR_RNDU);
    EXPECT_TRUE(mpfr_zero_p(width.get()) || mpfr_get_exp(width.get()) < 8 - precision);
  }
}

TEST(SmoothLaws, AgreesWithTheMechanismsInDouble) {
  for (const double p : {1e-6, 0.1, 0.4, 0.5, 0.6, 0.63, 0.64, 0.9, 0.95, 0.99, 0.999, 0.9999999}) {
    const double v = 1 - p;
    EXPECT_NEAR(power_laplace_law(Epsilon(1), Beta(0.1))->magnitude_at(v).lower /
                    power_laplace_magnitude(Epsilon(1), Beta(0.1), p),
                1.0, 1e-9);
    EXPECT_NEAR(gen_cauchy_law()->magnitude_at(v).lower / gen_cauchy_magnitude(p), 1.0, 1e-9);
    EXPECT_NEAR(student_t_law()->magnitude_at(v).lower / student_t_magnitude(p), 1.0, 1e-9);
  }
}

TEST(SmoothLaws, PowerLaplaceHalfWidthsAreNeverTooSmall) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int i = 0; i < 3000; ++i) {
    const double epsilon = std::exp(8 * unit(random) - 4);
    const double beta = epsilon * (i % 3 == 0   ? unit(random)
                                   : i % 3 == 1 ? std::exp(-25 * unit(random))
                                                : 1 - std::exp2(-50 * unit(random)));
    const double p = i % 2 == 0 ? unit(random) : 1 - std::exp2(-53 * unit(random));
    if (!(beta > 0 && beta < epsilon && p > 0 && p < 1)) continue;
    PreciseNumber tail(120);
    PreciseInterval magnitude(200);
    mpfr_set_d(tail.get(), p, MPFR_RNDN);
    mpfr_ui_sub(tail.get(), 1, tail.get(), MPFR_RNDN);
    power_laplace_law(Epsilon(epsilon), Beta(beta))->magnitude_at(tail, magnitude);
    const double width = power_laplace_half_width(Epsilon(epsilon), Beta(beta), p);
    ASSERT_LE(mpfr_cmp_d(magnitude.upper.get(), width), 0) << epsilon << " " << beta << " " << p;
    ASSERT_LE(width, mpfr_get_d(magnitude.lower.get(), MPFR_RNDD) * (1 + 0x1p-48));
  }
}

TEST(SmoothLaws, TheEndsOfTheUnitInterval) {
  for (const LawAndTail& c : all_laws()) {
    PreciseNumber v(64);
    PreciseInterval magnitude(128);
    mpfr_set_ui(v.get(), 1, MPFR_RNDN);
    c.law->magnitude_at(v, magnitude);
    EXPECT_TRUE(mpfr_zero_p(magnitude.lower.get()) && mpfr_zero_p(magnitude.upper.get())) << c.name;
    EXPECT_EQ(c.law->magnitude_at(1.0).lower, 0.0);
    EXPECT_LE(c.law->magnitude_at(1.0).upper, 1e-300);
    mpfr_set_zero(v.get(), 1);
    c.law->magnitude_at(v, magnitude);
    EXPECT_TRUE(mpfr_inf_p(magnitude.upper.get())) << c.name;
    EXPECT_TRUE(std::isinf(c.law->magnitude_at(0.0).upper));
    EXPECT_FALSE(std::isnan(c.law->magnitude_at(0.0).lower));
    const DoubleInterval deep = c.law->magnitude_at(0x1p-1074);
    EXPECT_LE(deep.lower, deep.upper) << c.name;
  }
}

TEST(SmoothLaws, MagnitudesFallAsTheTailGrows) {
  for (const LawAndTail& c : all_laws()) {
    auto tails = some_tails(60);
    std::sort(tails.begin(), tails.end());
    for (std::size_t i = 1; i < tails.size(); ++i) {
      EXPECT_GE(c.law->magnitude_at(tails[i - 1]).upper, c.law->magnitude_at(tails[i]).lower) << c.name;
    }
  }
}

Distribution rounded(double scale, double centre, const std::function<double(double)>& tail) {
  return [=](double k) {
    const double x = (std::floor(k) + 0.5 - centre) / scale;
    return x < 0 ? 0.5 * tail(-x) : 1.0 - 0.5 * tail(x);
  };
}

double power_laplace_tail_in_double(double m) {  // epsilon 1, beta 0.25
  const double inner = std::pow(0.75, 3);
  const double mass = 1 + 0.5 * inner;
  return m <= 1 ? 1 - (1 - std::pow(1 - 0.25 * m, 4)) / mass
                : inner * std::pow(1.25, 5) * std::pow(1 + 0.25 * m, -4) / mass;
}

double gen_cauchy_tail_in_double(double m) {
  const double root = std::sqrt(2.0);
  return 1 - (std::log((m * m + root * m + 1) / (m * m - root * m + 1)) / 2 + std::atan(root * m + 1) +
              std::atan(root * m - 1)) /
                 M_PI;
}

double student_tail_in_double(double m) {
  return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(3.0), m));
}

struct Sampled {
  Law law;
  std::function<double(double)> tail;
  int draws;
};

std::vector<Sampled> sampled_laws() {
  return {{power_laplace_law(Epsilon(1), Beta(0.25)), power_laplace_tail_in_double, 200'000},
          {gen_cauchy_law(), gen_cauchy_tail_in_double, 5'000},
          {student_t_law(), student_tail_in_double, 5'000}};
}

double p_value(const Sampled& c, double scale, double centre, Entropy& entropy, double stated_scale) {
  const RoundedSampler sampler(c.law, ExactNumber::of(scale));
  RandomWords words(entropy);
  std::vector<double> draws;
  for (int i = 0; i < c.draws; ++i) {
    draws.push_back(static_cast<double>(sampler.draw(ExactNumber::of(centre), words)));
  }
  return chi_square_p_value(draws, rounded(stated_scale, centre, c.tail), edges_for(scale));
}

TEST(SmoothLaws, SeededDrawsFollowTheirLaw) {
  std::uint64_t seed = 400;
  for (const Sampled& c : sampled_laws()) {
    for (const double scale : {0.4, 7.5, 1e6}) {
      SeededEntropy entropy(++seed);
      EXPECT_GT(p_value(c, scale, 0.375, entropy, scale), 1e-4) << seed;
    }
  }
}

TEST(SmoothLaws, TheTestSeesAWrongScale) {
  for (const Sampled& c : sampled_laws()) {
    SeededEntropy entropy(1);
    EXPECT_LT(p_value(c, 20.0, 0.0, entropy, 24.0), 1e-7);
  }
}

TEST(SmoothLaws, SystemEntropyDrawsFollowTheirLaw) {
  const auto entropy = system_entropy();
  for (const Sampled& c : sampled_laws()) EXPECT_GT(p_value(c, 30.0, 0.0, *entropy, 30.0), 1e-7);
}

TEST(SmoothLaws, DrawsBeyondDoubleResolutionAreExact) {
  // A scale of 2^80 needs MPFR for every draw.
  for (Sampled c : sampled_laws()) {
    c.draws = 1000;
    SeededEntropy entropy(9);
    EXPECT_GT(p_value(c, 0x1p80, 0.0, entropy, 0x1p80), 1e-4);
  }
}

TEST(SmoothLaws, RefusesBadParameters) {
  EXPECT_THROW(power_laplace_law(Epsilon(1), Beta(0)), InvariantBroken);
  EXPECT_THROW(power_laplace_law(Epsilon(1), Beta(1)), InvariantBroken);
  EXPECT_THROW(power_laplace_law(Epsilon(INFINITY), Beta(1)), InvariantBroken);
  EXPECT_THROW(power_laplace_law(Epsilon(1), Beta(std::nan(""))), InvariantBroken);
}

}  // namespace
}  // namespace tacit
