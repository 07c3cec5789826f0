// The registry of noise laws, and what every law promises.
#include "mechanism/noise_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>

#include "base/check.hpp"
#include "mechanism/noise_rule.hpp"
#include "policy/policy.hpp"

namespace tacit {
namespace {

TEST(NoiseLawList, NamesAreThereAndDoNotRepeat) {
  std::set<std::string> names;
  for (const NoiseLaw law : all_noise_laws()) {
    const std::string name = name_of(law);
    EXPECT_FALSE(name.empty());
    EXPECT_TRUE(names.insert(name).second) << name << " is the name of two laws";
    EXPECT_TRUE(law_named(name) == law) << name;
  }
  EXPECT_FALSE(law_named("automatic").has_value());
}

TEST(NoiseLawList, EveryLawHasAProofNoteOfItsOwn) {
  std::set<std::string> notes;
  for (const NoiseLaw law : all_noise_laws()) {
    const std::string note = rule_of(law).proof_note();
    EXPECT_TRUE(note.ends_with(".md") && std::filesystem::is_regular_file(std::string(TACIT_SOURCE_DIR "/src/") + note))
        << name_of(law) << " has no proof note " << note;
    EXPECT_TRUE(notes.insert(note).second) << note << " is the note of two laws";
  }
}

TEST(NoiseLawList, OwnersMayAskForEveryLawThatIsForBounds) {
  std::set<std::string> expected;
  for (const NoiseLaw law : all_noise_laws()) {
    if (rule_of(law).for_bounds() != nullptr) expected.insert(name_of(law));
  }
  EXPECT_EQ(std::set<std::string>(std::begin(metric_noise_names), std::end(metric_noise_names)), expected);
}

TEST(NoiseLawList, ALawIsNotUsedForWhatItHasNoProofFor) {
  EXPECT_THROW(step_noise(NoiseLaw::gaussian), InvariantBroken);
  EXPECT_THROW(vector_noise(NoiseLaw::laplace), InvariantBroken);
  EXPECT_THROW(bound_noise(NoiseLaw::geometric), InvariantBroken);
  EXPECT_TRUE(rule_of(NoiseLaw::exponential).is_choice());
  EXPECT_FALSE(rule_of(NoiseLaw::gaussian).is_choice());
}

TEST(NoiseLawList, WidthsInStepsGrowWithCoverageAndSensitivityAndFallWithEpsilon) {
  for (const NoiseLaw law : all_noise_laws()) {
    const StepNoise* noise = rule_of(law).for_steps();
    if (noise == nullptr) continue;
    for (const double epsilon : {0.01, 0.3, 1.0, 5.0}) {
      for (const Int128 sensitivity : {Int128{1}, Int128{7}, power_of_ten(12)}) {
        Int128 before = 0;
        for (const double coverage : {0.1, 0.5, 0.9, 0.95, 0.999}) {
          const Int128 width = noise->half_width(Epsilon(epsilon), sensitivity, coverage);
          EXPECT_TRUE(width >= before) << name_of(law) << " " << epsilon << " " << coverage;
          EXPECT_TRUE(width <= noise->half_width(Epsilon(epsilon), sensitivity * 2, coverage)) << name_of(law);
          EXPECT_TRUE(width >= noise->half_width(Epsilon(epsilon * 2), sensitivity, coverage)) << name_of(law);
          // Rounding to the grid takes away or adds at most half a step.
          const double magnitude = noise->magnitude(Epsilon(epsilon), sensitivity, coverage);
          EXPECT_GE(static_cast<double>(width), (magnitude - 0.5) * (1 - 1e-12)) << name_of(law);
          EXPECT_LE(static_cast<double>(width), (magnitude + 0.5) * (1 + 1e-12)) << name_of(law);
          before = width;
        }
      }
    }
  }
}

TEST(NoiseLawList, DeviationsFallWithThePriceAndWidthsGrowWithCoverage) {
  for (const NoiseLaw law : all_noise_laws()) {
    const VectorNoise* noise = rule_of(law).for_vectors();
    if (noise == nullptr) continue;
    for (const double epsilon : {0.01, 0.3, 1.0, 5.0}) {
      for (const double delta : {1e-12, 1e-6, 0.01}) {
        const double deviation = noise->deviation_up(Epsilon(epsilon), Delta(delta));
        EXPECT_GT(deviation, noise->deviation_up(Epsilon(epsilon * 1.1), Delta(delta))) << name_of(law);
        EXPECT_GT(deviation, noise->deviation_up(Epsilon(epsilon), Delta(delta * 2))) << name_of(law);
        EXPECT_TRUE(noise->half_width(100 * deviation, 0.95) > noise->half_width(100 * deviation, 0.5)) << name_of(law);
        EXPECT_NEAR(static_cast<double>(noise->half_width(1e6 * deviation, 0.9)),
                    1e6 * deviation * noise->magnitude_up(0.9), 1.0 + 1e-3 * deviation)
            << name_of(law);
      }
    }
    EXPECT_GT(noise->mean_magnitude(), 0.1 * noise->magnitude_up(0.9)) << name_of(law);
    EXPECT_LT(noise->mean_magnitude(), noise->magnitude_up(0.9)) << name_of(law);
  }
}

// For one bound, more smoothness or a smaller price never means less noise.
TEST(NoiseLawList, NoiseForABoundGrowsWithBetaAndFallsWithEpsilon) {
  const Delta delta(1e-6);
  for (const NoiseLaw law : all_noise_laws()) {
    const BoundNoise* noise = rule_of(law).for_bounds();
    if (noise == nullptr) continue;
    const auto width = [&](double epsilon, double beta, double probability) {
      const auto b = noise->b_down(Epsilon(epsilon), Beta(beta), delta);
      return b ? noise->magnitude(Epsilon(epsilon), Beta(beta), *b, probability) : INFINITY;
    };
    for (const double epsilon : {0.1, 1.0, 4.0}) {
      for (const double share : noise->is_smooth() ? std::vector{0.001, 0.01, 0.1, 0.3} : std::vector{0.0}) {
        for (const double probability : {0.5, 0.95, 0.99}) {
          const double here = width(epsilon, share * epsilon, probability);
          EXPECT_GE(here, -std::log1p(-probability) / epsilon / 2) << name_of(law) << " is far below Laplace noise";
          EXPECT_LE(here, width(epsilon, share * epsilon * 1.5, probability)) << name_of(law);
          EXPECT_GE(here, width(epsilon * 1.5, share * epsilon, probability)) << name_of(law);
          EXPECT_LE(here, width(epsilon, share * epsilon, (1 + probability) / 2)) << name_of(law);
        }
      }
    }
    EXPECT_EQ(std::isfinite(width(1.0, 0.01, 0.5)), noise->is_smooth()) << name_of(law);
    EXPECT_FALSE(std::isfinite(width(1.0, 1.0, 0.5))) << name_of(law) << " has noise for a beta of epsilon";
    if (noise->is_smooth()) {
      EXPECT_EQ(noise->b_down(Epsilon(1), Beta(0.01), Delta(0)).has_value(), !noise->costs_delta()) << name_of(law);
    }
  }
}

}  // namespace
}  // namespace tacit
