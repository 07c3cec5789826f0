#include "sensitivity/derivative/leaves/exponential.hpp"

#include "base/check.hpp"
#include "sensitivity/derivative/leaves/leaf_testing.hpp"

namespace tacit {
namespace {

using testing::LeafCase;
constexpr double infinity = std::numeric_limits<double>::infinity();
const long double largest = std::exp(690.0L);

LeafCase exponential_case(double r, double end, double rate) {
  LeafCase c{fmt::format("e^({} s) up to {}, rate {}", r, end, rate),
             exponential_leaf(r, end, rate),
             [=](long double s) { return std::min(largest * (1.0L - 1e-14L), std::exp(r * s)); },
             rate,
             {0.0, 690.0 / r},
             1.0 / std::abs(r)};
  if (std::isfinite(end)) {
    c.marks.push_back(end);
    (r > 0 ? c.hi : c.lo) = end;
  }
  return c;
}

TEST(ExponentialLeaf, BoundsAnExponentialSmoothly) {
  for (const double r : {1e-6, 0.1, 2.0, -1e-6, -0.3, -5.0}) {
    const double sign = r > 0 ? 1.0 : -1.0;
    for (const double rate : {1e-3, 0.1, 1.0, 10.0}) {
      for (const double end : {-40.0, 0.0, 3.0, 800.0, 1e6}) expect_sound(exponential_case(r, sign * end, rate), 1);
      if (std::abs(r) <= rate) expect_sound(exponential_case(r, sign * infinity, rate), 2);
    }
  }
}

TEST(ExponentialLeaf, IsTheSmallestSmoothBound) {
  expect_smallest(exponential_case(2.0, 3.0, 0.5), 3, 1e-2);
  expect_smallest(exponential_case(-2.0, -3.0, 0.5), 3, 1e-2);
}

TEST(ExponentialLeaf, KnownValues) {
  EXPECT_NEAR(exponential_leaf(0.1, infinity, 0.2)->at(5.0), std::exp(0.5), 1e-11);
  EXPECT_NEAR(exponential_leaf(2.0, 3.0, 0.5)->at(1.0), std::exp(6.0 - 1.0), 1e-8);
  EXPECT_NEAR(exponential_leaf(-2.0, -3.0, 0.5)->at(-1.0), std::exp(6.0 - 1.0), 1e-8);
  EXPECT_NEAR(exponential_leaf(2.0, 3.0, 0.5)->supremum(), std::exp(6.0), 1e-8);
  EXPECT_EQ(exponential_leaf(0.1, infinity, 0.2)->supremum(), infinity);
  EXPECT_EQ(exponential_leaf(2.0, 3.0, 0.0)->at(-50.0), exponential_leaf(2.0, 3.0, 0.0)->at(3.0));
  EXPECT_NEAR(exponential_leaf(0.0, infinity, 0.1)->at(4.0), 1.0, 1e-11);
}

TEST(ExponentialLeaf, NeverOverflows) {
  EXPECT_TRUE(std::isfinite(exponential_leaf(1.0, infinity, 1.0)->at(1e100)));
  EXPECT_LE(exponential_leaf(1.0, 1e9, 0.1)->supremum(), 1e300);
  EXPECT_THROW(exponential_leaf(1.0, infinity, 0.5), InvariantBroken) << "steeper than the rate, without an end";
}

}  // namespace
}  // namespace tacit
