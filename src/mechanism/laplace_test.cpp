#include "mechanism/laplace.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "mechanism/mechanism_plan.hpp"

namespace tacit {
namespace {

// P(|round(N)| <= h) = P(|N| < h + 1/2).
double coverage_of(long double h, long double scale) { return static_cast<double>(-std::expm1(-(h + 0.5L) / scale)); }

TEST(Laplace, KnownFacts) {
  EXPECT_NEAR(laplace_magnitude(Epsilon(0.1), 373, 0.5), 2585.438983,
              1e-6);  // Wilson et al. 2020, Table 3: count of Q1
  EXPECT_DOUBLE_EQ(laplace_magnitude(Epsilon(1.0), 1, 0.95), std::log(20.0));
  EXPECT_DOUBLE_EQ(laplace_magnitude(Epsilon(2.0), 3, 0.99), 1.5 * std::log(100.0));
  EXPECT_STREQ(name_of(NoiseLaw::laplace), "laplace");
}

TEST(Laplace, HalfWidthOfKnownLaws) {
  EXPECT_TRUE(laplace_half_width(Epsilon(1.0), 1, 0.95) == 3);        // 2.996 - 0.5
  EXPECT_TRUE(laplace_half_width(Epsilon(1.0), 1000, 0.95) == 2996);  // 2995.73 - 0.5
  EXPECT_TRUE(laplace_half_width(Epsilon(10.0), 1, 0.95) == 0);       // 0.2996 - 0.5: rounding gives 0 back
  EXPECT_TRUE(laplace_half_width(Epsilon(0x1p-80), 1, 0.5) > Int128{1} << 79);
}

TEST(Laplace, HalfWidthStopsAt38Digits) {
  const Int128 largest = power_of_ten(38) - 1;
  EXPECT_TRUE(laplace_half_width(Epsilon(1e-300), std::numeric_limits<Int128>::max(), 0.999) == largest);
  EXPECT_TRUE(laplace_half_width(Epsilon(0.5), std::numeric_limits<Int128>::max(), 0.95) == largest);
}

RC_GTEST_PROP(Laplace, HalfWidthIsTheLeastThatCovers, ()) {
  const double epsilon = *rc::gen::inRange(1, 4000) / 1000.0;
  const auto sensitivity = static_cast<Int128>(*rc::gen::inRange<std::int64_t>(1, 1'000'000));
  const double coverage = *rc::gen::inRange(1, 1000) / 1000.0;
  const Int128 h = laplace_half_width(Epsilon(epsilon), sensitivity, coverage);
  const auto scale = static_cast<long double>(sensitivity) / static_cast<long double>(epsilon);
  RC_ASSERT(h >= 0);
  RC_ASSERT(coverage_of(static_cast<long double>(h), scale) >= coverage * (1 - 1e-12));
  if (h > 0) RC_ASSERT(coverage_of(static_cast<long double>(h) - 1, scale) < coverage * (1 + 1e-12));
}

TEST(Laplace, RefusesBadParameters) {
  EXPECT_THROW(laplace_half_width(Epsilon(0.0), 1, 0.95), InvariantBroken);
  EXPECT_THROW(laplace_half_width(Epsilon(std::nan("")), 1, 0.95), InvariantBroken);
  EXPECT_THROW(laplace_half_width(Epsilon(1.0), 0, 0.95), InvariantBroken);
  EXPECT_THROW(laplace_half_width(Epsilon(1.0), 1, 0.0), InvariantBroken);
  EXPECT_THROW(laplace_half_width(Epsilon(1.0), 1, 1.0), InvariantBroken);
  EXPECT_THROW(laplace_magnitude(Epsilon(-1.0), 1, 0.5), InvariantBroken);
}

}  // namespace
}  // namespace tacit
