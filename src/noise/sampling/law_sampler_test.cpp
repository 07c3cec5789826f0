// The two halves of every noise law are of the same law.
//
// False alarms: draws are on seeded entropy, so each verdict is the same on every run.
#include "noise/sampling/law_sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/check.hpp"
#include "mechanism/noise_rule.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {
namespace {

constexpr double probabilities[] = {0.01, 0.5, 0.75, 0.95, 0.999};

// The number that |Y| exceeds with probability 1 - p, enclosed by the sampler, is the one of the rule.
void expect_quantile(const QuantileLaw& law, double p, double magnitude, const char* name) {
  const DoubleInterval enclosed = law.magnitude_at(1.0 - p);
  EXPECT_GE(magnitude, enclosed.lower * (1 - 1e-9)) << name << " at " << p;
  EXPECT_LE(magnitude, enclosed.upper * (1 + 1e-9)) << name << " at " << p;
}

TEST(LawSampler, EveryLawIsDrawnAsItIsUsed) {
  for (const NoiseLaw law : all_noise_laws()) {
    const NoiseRule& rule = rule_of(law);
    EXPECT_EQ(std::holds_alternative<ChoiceByRank>(sampler_of(law)), rule.is_choice()) << rule.name();
    if (rule.for_vectors() != nullptr || rule.for_bounds() != nullptr) {
      EXPECT_TRUE(std::holds_alternative<ContinuousLaw>(sampler_of(law))) << rule.name();
    }
  }
}

TEST(LawSampler, NoiseForBoundsHasTheQuantilesOfItsRule) {
  for (const NoiseLaw law : all_noise_laws()) {
    const BoundNoise* noise = rule_of(law).for_bounds();
    if (noise == nullptr) continue;
    for (const double epsilon : {0.2, 1.0, 3.0}) {
      const Epsilon price(epsilon);
      const Beta beta(noise->is_smooth() ? 0.03 * epsilon : 0.0);
      const double b = noise->b_down(price, beta, Delta(1e-6)).value();
      const auto quantiles = quantile_law(law, price, beta);
      for (const double p : probabilities) {
        expect_quantile(*quantiles, p, noise->magnitude(price, beta, b, p) * b, name_of(law));
      }
    }
  }
}

TEST(LawSampler, NoiseForVectorsHasTheQuantilesOfItsRule) {
  for (const NoiseLaw law : all_noise_laws()) {
    const VectorNoise* noise = rule_of(law).for_vectors();
    if (noise == nullptr) continue;
    const auto quantiles = quantile_law(law, Epsilon(1), Beta());
    for (const double p : probabilities) expect_quantile(*quantiles, p, noise->magnitude_up(p), name_of(law));
  }
}

// The share of 40,000 draws within the width of a coverage is at least that coverage, and one step less is too narrow;
// five standard deviations of the share are allowed for.
TEST(LawSampler, NoiseInStepsHasTheWidthsOfItsRule) {
  constexpr int draws = 40'000;
  for (const NoiseLaw law : all_noise_laws()) {
    const StepNoise* noise = rule_of(law).for_steps();
    if (noise == nullptr) continue;
    for (const Int128 sensitivity : {Int128{1}, Int128{12}}) {
      const Epsilon epsilon(0.7);
      const auto sampler = step_sampler(law, epsilon, sensitivity);
      SeededEntropy entropy(11);
      RandomWords words(entropy);
      std::vector<Int128> sizes;
      for (int i = 0; i < draws; ++i) {
        const Int128 drawn = sampler->draw(1000, words) - 1000;
        sizes.push_back(drawn < 0 ? -drawn : drawn);
      }
      for (const double coverage : {0.5, 0.9, 0.95, 0.99}) {
        const Int128 width = noise->half_width(epsilon, sensitivity, coverage);
        const double slack = 5 * std::sqrt(coverage * (1 - coverage) / draws);
        const auto share = [&](Int128 most) {
          return static_cast<double>(std::ranges::count_if(sizes, [&](Int128 size) { return size <= most; })) / draws;
        };
        EXPECT_GE(share(width), coverage - slack) << name_of(law) << " " << coverage;
        EXPECT_LE(share(width - 1), coverage + slack) << name_of(law) << " " << coverage;
      }
    }
  }
}

TEST(LawSampler, RefusesWhatALawIsNotFor) {
  EXPECT_THROW(quantile_law(NoiseLaw::geometric, Epsilon(1), Beta()), InvariantBroken);
  EXPECT_THROW(quantile_law(NoiseLaw::exponential, Epsilon(1), Beta()), InvariantBroken);
  EXPECT_THROW(step_sampler(NoiseLaw::exponential, Epsilon(1), 1), InvariantBroken);
  EXPECT_THROW(step_sampler(NoiseLaw::laplace, Epsilon(0), 1), InvariantBroken);
  EXPECT_THROW(step_sampler(NoiseLaw::geometric, Epsilon(1), 0), InvariantBroken);
}

}  // namespace
}  // namespace tacit
