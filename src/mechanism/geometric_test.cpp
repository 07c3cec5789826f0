#include "mechanism/geometric.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "mechanism/laplace.hpp"
#include "mechanism/mechanism_plan.hpp"

namespace tacit {
namespace {

// By summing the probabilities, not by the closed form.
Int128 least_by_summing(double rate, double coverage) {
  const double r = std::exp(-rate);
  double term = (1 - r) / (1 + r);
  double covered = term;
  Int128 k = 0;
  while (covered < coverage) {
    term *= r;
    covered += 2 * term;
    ++k;
  }
  return k;
}

TEST(Geometric, HalfWidthIsTheLeastThatCovers) {
  for (const double epsilon : {0.05, 0.1, 0.3, 1.0, 2.0, 4.0}) {
    for (const int sensitivity : {1, 2, 3, 10}) {
      for (const double coverage : {0.01, 0.2, 0.5, 0.9, 0.95, 0.974679, 0.99, 0.9999}) {
        EXPECT_TRUE(geometric_half_width(Epsilon(epsilon), sensitivity, coverage) ==
                    least_by_summing(epsilon / sensitivity, coverage))
            << epsilon << " " << sensitivity << " " << coverage;
      }
    }
  }
}

TEST(Geometric, KnownFacts) {
  EXPECT_TRUE(geometric_half_width(Epsilon(1.0), 1, 0.95) == 3);
  EXPECT_TRUE(geometric_half_width(Epsilon(20.0), 1, 0.95) == 0);
  EXPECT_TRUE(geometric_half_width(Epsilon(0.1), 1, 0.5) == 7);
  EXPECT_STREQ(name_of(NoiseLaw::geometric), "geometric");
}

RC_GTEST_PROP(Geometric, NeverWiderThanRoundedLaplace, ()) {
  const double epsilon = *rc::gen::inRange(1, 4000) / 1000.0;
  const auto sensitivity = static_cast<Int128>(*rc::gen::inRange<std::int64_t>(1, 1'000'000));
  const double coverage = *rc::gen::inRange(1, 1000) / 1000.0;
  RC_ASSERT(geometric_half_width(Epsilon(epsilon), sensitivity, coverage) <=
            laplace_half_width(Epsilon(epsilon), sensitivity, coverage));
}

TEST(Geometric, HugeScales) {
  // Close to the continuous law: k = scale ln 20.
  const Int128 k = geometric_half_width(Epsilon(1.0), power_of_ten(18), 0.95);
  EXPECT_NEAR(static_cast<double>(k) / 1e18, std::log(20.0), 1e-15);
  const Int128 largest = power_of_ten(38) - 1;
  EXPECT_TRUE(geometric_half_width(Epsilon(1e-300), std::numeric_limits<Int128>::max(), 0.95) == largest);
}

TEST(Geometric, RefusesBadParameters) {
  EXPECT_THROW(geometric_half_width(Epsilon(0.0), 1, 0.95), InvariantBroken);
  EXPECT_THROW(geometric_half_width(Epsilon(std::numeric_limits<double>::infinity()), 1, 0.95), InvariantBroken);
  EXPECT_THROW(geometric_half_width(Epsilon(1.0), -1, 0.95), InvariantBroken);
  EXPECT_THROW(geometric_half_width(Epsilon(1.0), 1, -0.5), InvariantBroken);
  EXPECT_THROW(geometric_half_width(Epsilon(1.0), 1, 1.5), InvariantBroken);
}

}  // namespace
}  // namespace tacit
