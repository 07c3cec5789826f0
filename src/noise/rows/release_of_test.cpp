#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.hpp"
#include "noise/release.hpp"

namespace tacit {
namespace {

// A width of 100 units whatever is asked, and a note of what was.
class FixedWidth final : public CellNoise {
 public:
  Int128 add_to(Int128 exact, RandomWords& /*words*/) const override { return exact; }
  Int128 half_width(double coverage) const override {
    asked = std::max(asked, coverage);
    return 100;
  }
  mutable double asked = 0.0;
};

// An aggregate of numbers in [0.00, 10.00].
MechanismPlan plan_of(AggregateKind kind, SqlType type) {
  MechanismPlan plan;
  plan.analyzed.query.aggregates = {{kind, nullptr, 0}};
  plan.analyzed.query.outputs = {{OutputColumn::Kind::aggregate, 0, "a", type}};
  plan.analyzed.model = RowsAnalysis{{{{Grid::Base::decimal, 2}, 0, 1000, 1000}}};
  plan.model = RowsPlan{{{NoiseLaw::laplace, Epsilon(1.0), 1000, 0, kind == AggregateKind::average ? 2U : 1U}}};
  return plan;
}

struct Shown {
  std::string value;
  std::string low;
  std::string high;
  friend bool operator==(const Shown&, const Shown&) = default;
};

Shown average_of(Int128 a, Int128 b) {
  const MechanismPlan plan = plan_of(AggregateKind::average, SqlType::decimal(38, 3));
  const FixedWidth noise;
  const auto release = release_of(plan, plan.analyzed.query.outputs[0], &noise);
  const std::array<Int128, 2> cells{a, b};
  const auto interval = release->interval95(cells);
  if (!interval) return {to_string(release->value(cells)), "", ""};
  return {to_string(release->value(cells)), to_string(interval->first), to_string(interval->second)};
}

TEST(Release, SumsAreTheCellAndTheWidth) {
  const MechanismPlan plan = plan_of(AggregateKind::sum, SqlType::decimal(38, 2));
  const FixedWidth noise;
  const auto release = release_of(plan, plan.analyzed.query.outputs[0], &noise);
  const std::array<Int128, 1> cells{-250};
  EXPECT_EQ(to_string(release->value(cells)), "-2.50");
  EXPECT_EQ(to_string(release->interval95(cells)->first), "-3.50");
  EXPECT_EQ(to_string(release->interval95(cells)->second), "-1.50");
  EXPECT_EQ(noise.asked, 0.95);
}

TEST(Release, AverageAsksForBothSumsAtOnce) {
  const MechanismPlan plan = plan_of(AggregateKind::average, SqlType::decimal(38, 3));
  const FixedWidth noise;
  (void)release_of(plan, plan.analyzed.query.outputs[0], &noise);
  EXPECT_GE(noise.asked * noise.asked, 0.95);
  EXPECT_NEAR(noise.asked, std::sqrt(0.95), 1e-12);
}

TEST(Release, AverageEndsAreReachedAtTheEndsOfBothSums) {
  // 10 * 300/1000 ; 10 * 200/(200 + 800) ; 10 * 400/(400 + 600)
  EXPECT_EQ(average_of(300, 700), (Shown{"3.000", "2.000", "4.000"}));
  // Rounded outward: 10 * 150/(150 + 550) = 2.1428, 10 * 350/(350 + 350) = 5.
  EXPECT_EQ(average_of(250, 450), (Shown{"3.571", "2.142", "5.000"}));
}

TEST(Release, AverageNearTheBoundsIsClamped) {
  EXPECT_EQ(average_of(50, 950), (Shown{"0.500", "0.000", "1.500"}));       // a may be 0
  EXPECT_EQ(average_of(-20, 500), (Shown{"0.000", "0.000", "1.667"}));      // 10 * 80/(80 + 400)
  EXPECT_EQ(average_of(500, -20), (Shown{"10.000", "8.333", "10.000"}));    // 10 * 400/(400 + 80)
  EXPECT_EQ(average_of(500, -200), (Shown{"10.000", "10.000", "10.000"}));  // b is 0 for sure
}

// Noise of width 100 each on 0 makes up to 120 of both sums, and up to 240 now and then.
TEST(Release, AverageOfTooLittleWeightIsNull) {
  const Shown unknown{"", "", ""};
  EXPECT_EQ(average_of(60, 60), unknown);
  EXPECT_EQ(average_of(60, 61), (Shown{"4.959", "0.000", "10.000"}));
  EXPECT_EQ(average_of(0, 240), (Shown{"0.000", "0.000", "10.000"}));
  EXPECT_EQ(average_of(0, 0), unknown);
  EXPECT_EQ(average_of(-500, 300), unknown);
  EXPECT_EQ(average_of(300, -500), unknown);
  EXPECT_EQ(average_of(100, -100), unknown);
  EXPECT_EQ(average_of(-50, -60), unknown);
}

TEST(Release, KeysHaveNone) {
  const MechanismPlan plan = plan_of(AggregateKind::sum, SqlType::decimal(38, 2));
  EXPECT_THROW(release_of(plan, {OutputColumn::Kind::key, 0, "k", SqlType::text()}, nullptr), InvariantBroken);
}

}  // namespace
}  // namespace tacit
