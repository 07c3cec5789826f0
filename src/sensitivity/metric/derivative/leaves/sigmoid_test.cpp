#include "sensitivity/metric/derivative/leaves/sigmoid.hpp"

#include "base/check.hpp"
#include "sensitivity/metric/derivative/leaves/leaf_testing.hpp"

namespace tacit {
namespace {

using testing::LeafCase;

long double sigmoid(long double a, long double s) { return 1.0L / (1.0L + std::exp(-a * s)); }

LeafCase sigmoid_value_case(double a, double rate) {
  return {fmt::format("sigmoid {}, rate {}", a, rate),
          sigmoid_value_leaf(a, rate),
          [a](long double s) { return sigmoid(a, s); },
          rate,
          {0.0, 40.0 / a},
          1.0 / a};
}

LeafCase sigmoid_slope_case(double a, double rate) {
  return {fmt::format("sigmoid slope {}, rate {}", a, rate),
          sigmoid_slope_leaf(a, rate),
          [a](long double s) { return a * sigmoid(a, s) * sigmoid(a, -s); },
          rate,
          {0.0, 4.0 / a},
          1.0 / a};
}

TEST(SigmoidLeaf, BoundsTheSigmoidAndItsSlopeSmoothly) {
  for (const double a : {1e-6, 0.05, 1.0, 12.0, 1e7}) {
    for (const double share : {1e-40, 1e-9, 0.01, 0.3, 0.5, 0.999999999, 1.0, 1.5, 1e6}) {
      expect_sound(sigmoid_value_case(a, a * share), 1);
      expect_sound(sigmoid_slope_case(a, a * share), 2);
    }
  }
}

TEST(SigmoidLeaf, AreTheSmallestSmoothBounds) {
  for (const double share : {0.1, 0.4, 0.9, 2.0}) {
    expect_smallest(sigmoid_value_case(1.0, share), 3);
    expect_smallest(sigmoid_slope_case(1.0, share), 4);
  }
}

TEST(SigmoidLeaf, KnownValues) {
  EXPECT_NEAR(sigmoid_value_leaf(1.0, 2.0)->at(0.0), 0.5, 1e-11);
  EXPECT_NEAR(sigmoid_value_leaf(1.0, 0.1)->at(-3.0), 0.9 * std::exp(-0.1 * (std::log(9.0) + 3.0)), 1e-11);
  EXPECT_NEAR(sigmoid_slope_leaf(2.0, 5.0)->at(0.0), 0.5, 1e-11);
  EXPECT_NEAR(sigmoid_slope_leaf(1.0, 0.5)->at(4.0), 0.25 * 0.75 * std::exp(-0.5 * (4.0 - 2.0 * std::atanh(0.5))),
              1e-11);
  EXPECT_EQ(sigmoid_value_leaf(1.0, 0.0)->at(-9.0), 1.0);
  EXPECT_EQ(sigmoid_slope_leaf(2.0, 0.0)->at(-9.0), 0.5);
  EXPECT_EQ(sigmoid_slope_leaf(2.0, 1.0)->supremum(), 0.5);
  EXPECT_THROW(sigmoid_value_leaf(0.0, 1.0), InvariantBroken);
}

TEST(SigmoidLeaf, TheDerivativeIsBounded) {
  for (double s = -20.0; s <= 20.0; s += 0.37) {
    const double h = 1e-5;
    const auto numeric = static_cast<double>((sigmoid(1.5L, s + h) - sigmoid(1.5L, s - h)) / (2.0L * h));
    EXPECT_GE(sigmoid_slope_leaf(1.5, 0.4)->at(s), numeric * (1.0 - 1e-8));
  }
}

}  // namespace
}  // namespace tacit
