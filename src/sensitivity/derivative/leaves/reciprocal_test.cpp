#include "sensitivity/derivative/leaves/reciprocal.hpp"

#include "base/check.hpp"
#include "sensitivity/derivative/leaves/leaf_testing.hpp"

namespace tacit {
namespace {

using testing::LeafCase;

LeafCase reciprocal_case(double r, double x0, double rate) {
  return {fmt::format("reciprocal {}, from {}, rate {}", r, x0, rate),
          reciprocal_leaf(r, x0, rate),
          [=](long double s) {
            return std::min(1e300L, std::pow(std::max<long double>(s, x0), -static_cast<long double>(r)));
          },
          rate,
          {x0, r / rate, 0.0},
          std::max(x0, r / rate)};
}

TEST(ReciprocalLeaf, BoundsAReciprocalPowerSmoothly) {
  for (const double r : {0.5, 1.0, 2.0, 3.7, 20.0}) {
    for (const double x0 : {1e-250, 1e-90, 1e-3, 1.0, 50.0, 1e8}) {
      for (const double rate : {1e-8, 0.02, 1.0, 90.0}) expect_sound(reciprocal_case(r, x0, rate), 1);
    }
  }
}

TEST(ReciprocalLeaf, IsTheSmallestSmoothBound) {
  for (const double r : {0.5, 1.0, 2.0}) {
    expect_smallest(reciprocal_case(r, 1.0, 0.1), 2, 1e-2);
    expect_smallest(reciprocal_case(r, 5.0, 3.0), 3, 1e-2);
  }
}

TEST(ReciprocalLeaf, KnownValues) {
  const auto leaf = reciprocal_leaf(1.0, 2.0, 0.1);
  EXPECT_EQ(leaf->at(2.0), 0.5);
  EXPECT_EQ(leaf->at(-7.0), 0.5);
  EXPECT_NEAR(leaf->at(3.0), 0.5 * std::exp(-0.1), 1e-11) << "1/s falls faster than the rate here";
  EXPECT_NEAR(leaf->at(100.0), 0.01, 1e-13);
  EXPECT_EQ(leaf->supremum(), 0.5);
  EXPECT_EQ(reciprocal_leaf(1.0, 2.0, 0.0)->at(1e9), 0.5);
  EXPECT_NEAR(reciprocal_leaf(1.0, 2.0, 0.6)->at(2.5), 0.4, 1e-11) << "1/s is smooth enough itself";
}

TEST(ReciprocalLeaf, IsBoundedBelowAndAbove) {
  EXPECT_NEAR(reciprocal_leaf(4.0, 1e-100, 1.0)->supremum() / 1e300, 1.0, 1e-12);
  EXPECT_GE(reciprocal_leaf(4.0, 1.0, 1.0)->at(1e100), 1e-300);
  EXPECT_THROW(reciprocal_leaf(1.0, 0.0, 0.1), InvariantBroken);
  EXPECT_THROW(reciprocal_leaf(0.0, 1.0, 0.1), InvariantBroken);
}

}  // namespace
}  // namespace tacit
