#include "sensitivity/metric/derivative/leaves/sech.hpp"

#include "base/check.hpp"
#include "sensitivity/metric/derivative/leaves/leaf_testing.hpp"

namespace tacit {
namespace {

using testing::LeafCase;

LeafCase sech_value_case(double a, double rate) {
  return {fmt::format("sech {}, rate {}", a, rate),
          sech_value_leaf(a, rate),
          [a](long double s) { return 1.0L / std::cosh(a * s); },
          rate,
          {0.0, 2.0 / a},
          1.0 / a};
}

LeafCase sech_slope_case(double a, double rate) {
  return {fmt::format("sech slope {}, rate {}", a, rate),
          sech_slope_leaf(a, rate),
          [a](long double s) { return a * std::abs(std::tanh(a * s)) / std::cosh(a * s); },
          rate,
          {0.0, std::asinh(1.0) / a},
          1.0 / a};
}

TEST(SechLeaf, BoundsTheSechAndItsSlopeSmoothly) {
  for (const double a : {1e-6, 0.05, 1.0, 12.0, 1e7}) {
    for (const double share : {1e-40, 1e-13, 1e-9, 0.01, 0.3, 0.5, 0.999999999, 1.0, 1.5, 60.0, 1e6}) {
      expect_sound(sech_value_case(a, a * share), 1);
      expect_sound(sech_slope_case(a, a * share), 2);
    }
  }
}

TEST(SechLeaf, AreTheSmallestSmoothBounds) {
  for (const double share : {0.1, 0.4, 0.9, 1.0, 2.0}) {
    expect_smallest(sech_value_case(1.0, share), 3);
    expect_smallest(sech_slope_case(1.0, share), 4);
  }
}

TEST(SechLeaf, KnownValues) {
  EXPECT_NEAR(sech_value_leaf(1.0, 2.0)->at(0.0), 1.0, 1e-11);
  EXPECT_NEAR(sech_value_leaf(1.0, 0.5)->at(3.0), std::sqrt(0.75) * std::exp(-0.5 * (3.0 - std::atanh(0.5))), 1e-11);
  EXPECT_NEAR(sech_slope_leaf(1.0, 1.0)->at(0.0), 0.25, 0.01) << "a quarter of the precision at rate = precision";
  EXPECT_EQ(sech_slope_leaf(3.0, 0.0)->at(100.0), 1.5);
  EXPECT_EQ(sech_slope_leaf(3.0, 1.0)->supremum(), 1.5);
  EXPECT_NEAR(sech_slope_leaf(3.0, 1.0)->at(std::asinh(1.0) / 3.0), 1.5, 1e-11);
  EXPECT_THROW(sech_slope_leaf(1e200, 1.0), InvariantBroken);
}

}  // namespace
}  // namespace tacit
