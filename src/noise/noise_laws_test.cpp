// The samplers against their laws.
//
// False alarms. Tests on seeded entropy give the same verdict on every run. The tests named SystemEntropy draw fresh
// bits: together they make 4 chi-square comparisons, each rejecting with probability about 1e-7 when all is well, so
// a run of this program raises a false alarm with probability below 1e-6.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "noise/cell_noise.hpp"
#include "noise/sampling/chi_square_testing.hpp"
#include "noise/sampling/precise_interval.hpp"
#include "noise/sampling/rounded_sampler.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {
namespace {

constexpr double least_p_value = 1e-7;

Distribution rounded_laplace(double scale) {
  return [scale](double k) {
    const double x = (std::floor(k) + 0.5) / scale;
    return x < 0 ? 0.5 * std::exp(x) : 1.0 - 0.5 * std::exp(-x);
  };
}

Distribution two_sided_geometric(double scale) {
  return [scale](double k) {
    k = std::floor(k);
    const double r = std::exp(-1.0 / scale);
    return k < 0 ? std::exp(k / scale) / (1 + r) : 1.0 - std::exp(-(k + 1) / scale) / (1 + r);
  };
}

struct Case {
  NoiseLaw law;
  double epsilon;
  Int128 sensitivity;
  int draws;
};

RowsAggregatePlan plan_of(const Case& c) {
  RowsAggregatePlan plan;
  plan.law = c.law;
  plan.epsilon = Epsilon(c.epsilon);
  plan.sensitivity_units = c.sensitivity;
  return plan;
}

std::vector<double> draw_noise(const Case& c, Entropy& entropy) {
  const auto noise = cell_noise(plan_of(c));
  RandomWords words(entropy);
  constexpr Int128 centre = -987'654'321;
  std::vector<double> draws;
  for (int i = 0; i < c.draws; ++i) draws.push_back(static_cast<double>(noise->add_to(centre, words) - centre));
  return draws;
}

double p_value(const Case& c, Entropy& entropy) {
  const double scale = static_cast<double>(c.sensitivity) / c.epsilon;
  const Distribution law = c.law == NoiseLaw::laplace ? rounded_laplace(scale) : two_sided_geometric(scale);
  return chi_square_p_value(draw_noise(c, entropy), law, edges_for(scale));
}

// One odd factor keeps p and q of epsilon / sensitivity in the wanted size after reduction.
const std::vector<Case> cases{
    // the grid much larger than the scale, about equal, much smaller, and beyond what double resolves
    {NoiseLaw::laplace, 1000.0, 1, 100'000},
    {NoiseLaw::laplace, 8.0, 1, 200'000},
    {NoiseLaw::laplace, 1.0, 1, 200'000},
    {NoiseLaw::laplace, 0.1, 3, 200'000},
    {NoiseLaw::laplace, 0.7, 1'000'000'007, 200'000},
    {NoiseLaw::laplace, 1.0 / 3.0, Int128{1} << 60, 10'000},
    {NoiseLaw::laplace, 0.1, Int128{1} << 90, 10'000},
    // one word
    {NoiseLaw::geometric, 1000.0, 1, 100'000},
    {NoiseLaw::geometric, 3.0, 1, 200'000},
    {NoiseLaw::geometric, 1.0, 1, 200'000},
    {NoiseLaw::geometric, 0.1, 1, 200'000},
    {NoiseLaw::geometric, 1.0, 1'000'003, 200'000},
    // two words: a full mantissa times a large sensitivity, also at a small scale
    {NoiseLaw::geometric, 0.1, 1'000'000'000'000'000'003, 200'000},
    {NoiseLaw::geometric, 0x1p63 + 0x1p11, (Int128{1} << 66) + 1, 200'000},
    // any size: q beyond 127 bits, p beyond 64 bits
    {NoiseLaw::geometric, 0.1, (Int128{1} << 90) + 1, 50'000},
    {NoiseLaw::geometric, 0x1p70, (Int128{1} << 70) + 1, 50'000},
    {NoiseLaw::geometric, 0x1p80, (Int128{1} << 81) + 1, 50'000},
};

TEST(NoiseLaws, SeededDrawsFollowTheirLaw) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SeededEntropy entropy(1000 + i);
    EXPECT_GT(p_value(cases[i], entropy), 1e-4) << "case " << i;
  }
}

TEST(NoiseLaws, TheTestSeesAWrongScale) {
  // Power of the comparison itself: 3% more noise than stated is found.
  const Case c{NoiseLaw::geometric, 0.1, 1, 200'000};
  SeededEntropy entropy(1);
  const auto draws = draw_noise(c, entropy);
  EXPECT_LT(chi_square_p_value(draws, two_sided_geometric(10.3), edges_for(10.0)), least_p_value);
  EXPECT_LT(chi_square_p_value(draws, rounded_laplace(10.3), edges_for(10.0)), least_p_value);
}

TEST(NoiseLaws, SignsAreFairAndTailsAreThere) {
  for (const Case& c : {Case{NoiseLaw::laplace, 0.05, 1, 400'000}, Case{NoiseLaw::geometric, 0.05, 1, 400'000}}) {
    SeededEntropy entropy(77);
    const auto draws = draw_noise(c, entropy);
    double positive = 0;
    double negative = 0;
    double beyond_eight_scales = 0;
    for (const double x : draws) {
      positive += x > 0 ? 1 : 0;
      negative += x < 0 ? 1 : 0;
      beyond_eight_scales += std::abs(x) > 160 ? 1 : 0;
    }
    EXPECT_LT(std::abs(positive - negative), 5.0 * std::sqrt(static_cast<double>(draws.size())));
    const double expected = std::exp(-160.5 / 20) * static_cast<double>(draws.size());
    EXPECT_NEAR(beyond_eight_scales, expected, 5.5 * std::sqrt(expected));
  }
}

TEST(NoiseLaws, NoiseOfDifferentCellsIsIndependent) {
  SeededEntropy entropy(8);
  const auto draws = draw_noise({NoiseLaw::geometric, 0.1, 1, 200'000}, entropy);
  double product = 0.0;
  double square = 0.0;
  for (std::size_t i = 1; i < draws.size(); ++i) {
    product += draws[i] * draws[i - 1];
    square += draws[i] * draws[i];
  }
  EXPECT_LT(std::abs(product / square), 5.5 / std::sqrt(200'000.0));
}

TEST(NoiseLaws, SystemEntropyDrawsFollowTheirLaw) {
  const auto entropy = system_entropy();
  for (const Case& c : {Case{NoiseLaw::laplace, 1.0, 1, 200'000}, Case{NoiseLaw::laplace, 0.1, 1000, 200'000},
                        Case{NoiseLaw::geometric, 1.0, 1, 200'000}, Case{NoiseLaw::geometric, 0.1, 1000, 200'000}}) {
    EXPECT_GT(p_value(c, *entropy), least_p_value);
  }
}

// ln P(noise = k) in closed form.
double log_rounded_laplace(double k, double scale) {
  return k == 0 ? std::log(-std::expm1(-0.5 / scale)) : -std::abs(k) / scale + std::log(std::sinh(0.5 / scale));
}
double log_geometric(double k, double scale) { return -std::abs(k) / scale + std::log(std::tanh(0.5 / scale)); }

TEST(NoiseLaws, NeighbouringCentresAreWithinExpEpsilon) {
  for (const auto& log_mass : {log_rounded_laplace, log_geometric}) {
    for (const double epsilon : {0.01, 0.5, 1.0, 4.0}) {
      for (const int sensitivity : {1, 2, 7, 100}) {
        const double scale = sensitivity / epsilon;
        double largest = 0.0;
        for (int k = -500; k <= 500; ++k) {
          for (int shift = 0; shift <= sensitivity; ++shift) {
            largest = std::max(largest, std::abs(log_mass(k, scale) - log_mass(k - shift, scale)));
          }
        }
        EXPECT_LE(largest, epsilon * (1 + 1e-9));
        EXPECT_GE(largest, epsilon * 0.99);  // and the price is used
      }
    }
  }
}

TEST(NoiseLaws, ClosedFormMassesSumToOneAndMatchTheDistributions) {
  for (const double scale : {0.3, 1.0, 25.0}) {
    double laplace = 0.0;
    double geometric = 0.0;
    for (double k = -2000; k <= 2000; ++k) {
      laplace += std::exp(log_rounded_laplace(k, scale));
      geometric += std::exp(log_geometric(k, scale));
      EXPECT_NEAR(laplace, rounded_laplace(scale)(k), 1e-12);
      EXPECT_NEAR(geometric, two_sided_geometric(scale)(k), 1e-12);
    }
    EXPECT_NEAR(laplace, 1.0, 1e-12);
    EXPECT_NEAR(geometric, 1.0, 1e-12);
  }
}

// A law that the shipped mechanisms do not have: what a new mechanism writes to use the sampler. Cauchy:
// P(|Y| > m) = v  <=>  m = tan(pi/2 (1 - v)).
class CauchyLaw final : public QuantileLaw {
 public:
  DoubleInterval magnitude_at(double tail) const override {
    if (tail == 0.0) return {0.0, std::numeric_limits<double>::infinity()};
    const double m = std::max(0.0, 1.0 / std::tan(std::numbers::pi / 2 * tail));
    return {m * (1 - 1e-9) - 1e-9 > 0 ? m * (1 - 1e-9) - 1e-9 : 0.0, m * (1 + 1e-9) + 1e-9};
  }
  void magnitude_at(const PreciseNumber& tail, PreciseInterval& magnitude) const override {
    if (mpfr_zero_p(tail.get())) {
      mpfr_set_zero(magnitude.lower.get(), 1);
      mpfr_set_inf(magnitude.upper.get(), 1);
      return;
    }
    PreciseNumber x(tail.precision() + 64);
    mpfr_const_pi(x.get(), MPFR_RNDN);
    mpfr_mul(x.get(), x.get(), tail.get(), MPFR_RNDN);
    mpfr_div_2ui(x.get(), x.get(), 1, MPFR_RNDN);
    mpfr_cot(x.get(), x.get(), MPFR_RNDN);
    if (mpfr_sgn(x.get()) < 0) mpfr_set_zero(x.get(), 1);
    PreciseNumber slack(tail.precision());
    mpfr_add_ui(slack.get(), x.get(), 1, MPFR_RNDU);
    mpfr_div_2ui(slack.get(), slack.get(), static_cast<unsigned long>(tail.precision()) - 8, MPFR_RNDU);
    mpfr_add(magnitude.upper.get(), x.get(), slack.get(), MPFR_RNDU);
    mpfr_sub(magnitude.lower.get(), x.get(), slack.get(), MPFR_RNDD);
    if (mpfr_sgn(magnitude.lower.get()) < 0) mpfr_set_zero(magnitude.lower.get(), 1);
  }
};

TEST(NoiseLaws, TheSamplerTakesAnyLawAndAnyCentre) {
  const double scale = 1e7;  // wide double intervals: many draws are refined in MPFR
  const RoundedSampler sampler(std::make_shared<CauchyLaw>(), ExactNumber::of(scale));
  SeededEntropy entropy(21);
  RandomWords words(entropy);
  std::vector<double> draws;
  for (int i = 0; i < 30'000; ++i) draws.push_back(static_cast<double>(sampler.draw(ExactNumber::of(0.375), words)));
  const Distribution cauchy = [&](double k) {
    return 0.5 + std::atan((std::floor(k) + 0.5 - 0.375) / scale) / std::numbers::pi;
  };
  EXPECT_GT(chi_square_p_value(draws, cauchy, edges_for(scale)), 1e-4);
}

}  // namespace
}  // namespace tacit
