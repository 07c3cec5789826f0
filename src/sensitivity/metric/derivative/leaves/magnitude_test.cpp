#include "sensitivity/metric/derivative/leaves/magnitude.hpp"

#include "base/check.hpp"
#include "sensitivity/metric/derivative/leaves/leaf_testing.hpp"
#include "sql/dialects/dialects.hpp"

namespace tacit {
namespace {

using testing::infinity;
using testing::LeafCase;

LeafCase magnitude_case(double rate, double cap) {
  LeafCase c{fmt::format("magnitude, rate {}, cap {}", rate, cap),
             magnitude_leaf(rate, cap),
             [](long double s) { return s; },
             rate,
             {0.0, 1.0 / rate},
             1.0 / rate};
  c.lo = 0.0;
  c.hi = std::min(cap, 1e100);
  if (std::isfinite(cap)) c.marks.push_back(cap);
  return c;
}

TEST(MagnitudeLeaf, BoundsAMagnitudeSmoothly) {
  for (const double rate : {1e-9, 0.01, 0.1, 1.0, 37.0, 1e6}) {
    for (const double cap : {infinity, 0.2 / rate, 0.7 / rate, 5.0 / rate}) {
      expect_sound(magnitude_case(rate, cap), 1);
    }
  }
}

TEST(MagnitudeLeaf, IsTheSmallestSmoothBound) {
  for (const double rate : {0.01, 0.1, 3.0}) expect_smallest(magnitude_case(rate, infinity), 2);
}

TEST(MagnitudeLeaf, KnownValues) {
  const auto leaf = magnitude_leaf(0.1);
  EXPECT_EQ(leaf->at(25.0), 25.0) << "no rounding where it is the magnitude itself";
  EXPECT_NEAR(leaf->at(0.0), 10.0 * std::exp(-1.0), 1e-10);
  EXPECT_NEAR(leaf->at(5.0), 10.0 * std::exp(-0.5), 1e-10);
  EXPECT_EQ(leaf->supremum(), infinity);
  EXPECT_NEAR(leaf->infimum(), 10.0 * std::exp(-1.0), 1e-12);
  EXPECT_EQ(leaf->formula("|x|"), "(|x| if |x| >= 10, else 10 e^(0.1 |x| - 1))");
  EXPECT_EQ(leaf->sql("m", duckdb_dialect()),
            "(CASE WHEN m < 10e0 THEN (10.000000000009095e0 * EXP(0.1e0 * (m - 10e0))) ELSE m END)");
}

TEST(MagnitudeLeaf, ACapReplacesWhatIsAboveIt) {
  const auto leaf = magnitude_leaf(0.1, 50.0);
  EXPECT_EQ(leaf->at(50.0), 50.0);
  EXPECT_EQ(leaf->at(1e9), 50.0);
  EXPECT_EQ(leaf->supremum(), 50.0);
  EXPECT_EQ(magnitude_leaf(0.0, 50.0)->at(3.0), 50.0);
  EXPECT_EQ(magnitude_leaf(0.0, 50.0)->infimum(), 50.0);
  EXPECT_EQ(magnitude_leaf(0.1, 3.0)->at(0.0), 3.0) << "the bound at 0 is already above the cap";
  EXPECT_THROW(magnitude_leaf(0.0), InvariantBroken);
  EXPECT_THROW(magnitude_leaf(-1.0), InvariantBroken);
}

}  // namespace
}  // namespace tacit
