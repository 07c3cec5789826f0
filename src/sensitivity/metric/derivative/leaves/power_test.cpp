#include "sensitivity/metric/derivative/leaves/power.hpp"

#include "base/check.hpp"
#include "sensitivity/metric/derivative/leaves/leaf_testing.hpp"

namespace tacit {
namespace {

using testing::infinity;
using testing::LeafCase;

LeafCase power_case(double r, double rate, double cap) {
  const double knee = r / rate;
  LeafCase c{fmt::format("power {}, rate {}, cap {}", r, rate, cap),
             power_leaf(r, rate, cap),
             [r](long double s) { return std::min(std::pow(s, static_cast<long double>(r)), 1e300L); },
             rate,
             {0.0, knee},
             knee > 0.0 ? knee : 1.0};
  c.lo = 0.0;
  if (std::isfinite(cap)) {
    c.hi = std::min(std::pow(cap, 1.0 / r) * (1.0 - 1e-14), 1e100);
    c.marks.push_back(c.hi);
  }
  return c;
}

TEST(PowerLeaf, BoundsAPowerSmoothly) {
  for (const double r : {0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, 40.0, 1000.0}) {
    for (const double rate : {1e-6, 0.1, 1.0, 25.0, 1e4}) {
      expect_sound(power_case(r, rate, infinity), 3);
      if (r < 10.0) expect_sound(power_case(r, rate, std::pow(0.5 * r / rate, r)), 4);
      if (r < 10.0) expect_sound(power_case(r, rate, std::pow(3.0 * r / rate, r)), 5);
    }
  }
}

TEST(PowerLeaf, IsTheSmallestSmoothBound) {
  for (const double r : {0.5, 1.0, 2.0, 3.5}) expect_smallest(power_case(r, 0.1, infinity), 6);
}

TEST(PowerLeaf, KnownValues) {
  EXPECT_EQ(power_leaf(0.0, 0.1)->at(1e9), 1.0);
  EXPECT_EQ(power_leaf(0.0, 0.0)->at(0.0), 1.0);
  EXPECT_NEAR(power_leaf(2.0, 0.1)->at(30.0), 900.0, 1e-8);
  EXPECT_NEAR(power_leaf(2.0, 0.1)->at(0.0), 400.0 * std::exp(-2.0), 1e-9);
  EXPECT_EQ(power_leaf(2.0, 0.0, 49.0)->at(1.0), 49.0);
  EXPECT_EQ(power_leaf(2.0, 0.1)->supremum(), infinity);
  EXPECT_EQ(power_leaf(2.0, 0.1, 1e4)->supremum(), 1e4);
}

TEST(PowerLeaf, StaysBelowTheLargestBound) {
  const auto leaf = power_leaf(5.0, 0.1);
  EXPECT_EQ(leaf->at(1e100), 1e300);
  EXPECT_EQ(power_leaf(900.0, 1e-5)->at(0.0), 1e300) << "r/rate is so large that the bound is flat";
  EXPECT_EQ(power_leaf(5000.0, 0.1)->at(1.0), 1e300);
  EXPECT_THROW(power_leaf(2.0, 0.0), InvariantBroken);
  EXPECT_THROW(power_leaf(-1.0, 0.1), InvariantBroken);
}

}  // namespace
}  // namespace tacit
