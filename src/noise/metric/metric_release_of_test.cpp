// False alarms: every comparison runs on seeded entropy, so its verdict is the same on every run.
#include <gtest/gtest.h>

#include <array>

#include "noise/release.hpp"
#include "support/seeded_entropy.hpp"

namespace tacit {
namespace {

MetricNoise laplace(double c, double epsilon) {
  MetricNoise noise;
  noise.epsilon = Epsilon(epsilon);
  noise.b = epsilon;
  noise.least = 1e-6;
  noise.constant = c;
  return noise;
}

struct AverageOf {
  MechanismPlan plan;
  std::vector<std::unique_ptr<const MetricCellNoise>> noises;
  std::unique_ptr<const Release> release;

  AverageOf(MetricNoise sum, MetricNoise count) {
    plan.analyzed.query.aggregates = {{AggregateKind::average, nullptr, 0}};
    plan.analyzed.query.outputs = {{OutputColumn::Kind::aggregate, 0, "a", SqlType::real()}};
    MetricAggregatePlan aggregate;
    aggregate.noises = {std::move(sum), std::move(count)};
    plan.model = MetricPlan{{aggregate}, {}};
    std::vector<const MetricCellNoise*> own;
    for (const MetricNoise& noise : aggregate.noises)
      own.push_back(noises.emplace_back(metric_cell_noise(noise)).get());
    release = metric_release_of(plan, plan.analyzed.query.outputs[0], own);
  }
};

// 5,000 draws that miss with a chance of 0.05 at most: more than 310 with a probability below 1e-4.
TEST(MetricRelease, AveragesHaveAnInterval) {
  const AverageOf average(laplace(3.0, 1.0), laplace(1.0, 1.0));
  for (const auto& [sum, count] : {std::pair{4'000, 200}, std::pair{-900, 40}, std::pair{0, 60}}) {
    const double truth = static_cast<double>(sum) / count;
    SeededEntropy entropy(3);
    RandomWords words(entropy);
    int missed = 0;
    for (int trial = 0; trial < 5'000; ++trial) {
      const std::array<Int128, 2> cells{average.noises[0]->add_to(sum, 0, words),
                                        average.noises[1]->add_to(count, 0, words)};
      const double value = std::get<double>(average.release->value(cells));
      const auto interval = average.release->interval95(cells).value();
      const double low = std::get<double>(interval.first);
      const double high = std::get<double>(interval.second);
      ASSERT_TRUE(low <= value && value <= high);
      missed += low <= truth && truth <= high ? 0 : 1;
    }
    EXPECT_LE(missed, 310);
    EXPECT_GE(missed, 20);  // not much wider than needed
  }
}

TEST(MetricRelease, AveragesOfNothingAreNull) {
  const AverageOf average(laplace(3.0, 1.0), laplace(1.0, 1.0));
  SeededEntropy entropy(4);
  RandomWords words(entropy);
  int shown = 0;
  for (int trial = 0; trial < 5'000; ++trial) {
    const std::array<Int128, 2> cells{average.noises[0]->add_to(0, 0, words), average.noises[1]->add_to(0, 0, words)};
    const bool is_null = std::holds_alternative<Null>(average.release->value(cells));
    EXPECT_NE(is_null, average.release->interval95(cells).has_value());
    shown += is_null ? 0 : 1;
  }
  EXPECT_LE(shown, 310);
}

// The width of noise that moves with the data is private: it decides nothing.
TEST(MetricRelease, AMovingBoundTellsNeitherWidthNorInterval) {
  MetricNoise moving = laplace(1.0, 1.0);
  moving.law = NoiseLaw::student_t;
  moving.constant.reset();
  moving.bound_cell = 2;
  const AverageOf average(laplace(3.0, 1.0), moving);
  const auto at = [&](Int128 count) {
    const std::array<Int128, 2> cells{10, count};
    EXPECT_FALSE(average.release->interval95(cells).has_value());
    return average.release->value(cells);
  };
  EXPECT_TRUE(std::holds_alternative<Null>(at(0)));
  EXPECT_TRUE(std::holds_alternative<Null>(at(1)));
  EXPECT_EQ(std::get<double>(at(2)), 5.0);
}

TEST(MetricRelease, AnExtremumOfNoRowsIsNull) {
  MechanismPlan plan;
  plan.analyzed.query.aggregates = {{AggregateKind::maximum, nullptr, 0}};
  plan.analyzed.query.outputs = {{OutputColumn::Kind::aggregate, 0, "a", SqlType::integer()}};
  MetricAggregatePlan aggregate;
  aggregate.noises = {laplace(1.0, 1.0)};
  aggregate.empty_cell = 1;
  plan.model = MetricPlan{{aggregate}, {}};
  const auto noise = metric_cell_noise(aggregate.noises[0]);
  const auto release = metric_release_of(plan, plan.analyzed.query.outputs[0], {noise.get()});
  const std::array<Int128, 2> none{5, 1};
  const std::array<Int128, 2> some{5, 0};
  EXPECT_TRUE(std::holds_alternative<Null>(release->value(none)));
  EXPECT_FALSE(release->interval95(none).has_value());
  EXPECT_EQ(to_string(release->value(some)), "5");
  EXPECT_TRUE(release->interval95(some).has_value());
}

}  // namespace
}  // namespace tacit
