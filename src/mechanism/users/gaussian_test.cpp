#include "mechanism/users/gaussian.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/check.hpp"

namespace tacit {
namespace {

double deviation(double epsilon, double delta) { return gaussian_deviation_up(Epsilon(epsilon), Delta(delta)); }

// delta of the mechanism by another route: the integral of (p - exp(epsilon) p')^+ for normals at 0 and 1.
long double delta_by_integration(long double epsilon, long double s) {
  const long double start = 0.5L - epsilon * s * s;  // where the loss is epsilon; it is larger below
  const long double density = 1.0L / (s * std::sqrt(2.0L * 3.14159265358979323846L));
  const auto excess = [&](long double y) {
    return density * (std::exp(-y * y / (2 * s * s)) - std::exp(epsilon - (y - 1) * (y - 1) / (2 * s * s)));
  };
  const int panels = 10'000;
  const long double step = 40.0L * s / panels;
  long double sum = 0.0L;
  for (int i = 0; i < panels; ++i) {  // Simpson's rule
    const long double right = start - step * i;
    sum += (excess(right) + 4 * excess(right - step / 2) + excess(right - step)) * step / 6;
  }
  return sum;
}

// Computed with 40 digits.
TEST(Gaussian, LeastDeviations) {
  EXPECT_NEAR(deviation(1, 1e-5), 3.73063163481594, 1e-10);
  EXPECT_NEAR(deviation(0.5, 1e-9), 10.67389681508, 1e-9);
  EXPECT_NEAR(deviation(0.1, 1e-6), 36.3046904261958, 1e-8);
  EXPECT_NEAR(deviation(4, 1e-12), 1.73861723913956, 1e-10);
  EXPECT_NEAR(deviation(0.01, 1e-8), 412.356942079715, 1e-6);
  EXPECT_NEAR(deviation(10, 1e-5), 0.499888619709009, 1e-11);
}

TEST(Gaussian, TheDeviationMeetsDeltaAndHardlyMore) {
  for (const double epsilon : {0.05, 0.5, 1.0, 3.0}) {
    for (const double delta : {1e-3, 1e-6, 1e-9}) {
      const double s = deviation(epsilon, delta);
      EXPECT_NEAR(static_cast<double>(delta_by_integration(epsilon, s)) / delta, 1.0, 1e-6) << epsilon << ' ' << delta;
      EXPECT_GT(static_cast<double>(delta_by_integration(epsilon, s * 0.99)), delta);
    }
  }
}

TEST(Gaussian, ExtremePricesStayFinite) {
  for (const double epsilon : {1e-9, 1.0, 1e6}) {
    for (const double delta : {1e-300, 1e-30, 0.5, 0.999}) {
      const double s = deviation(epsilon, delta);
      EXPECT_TRUE(std::isfinite(s) && s > 0.0) << epsilon << ' ' << delta;
    }
  }
  EXPECT_THROW(deviation(1, 0), InvariantBroken);
  EXPECT_THROW(deviation(0, 1e-5), InvariantBroken);
}

TEST(Gaussian, WidthsCover) {
  EXPECT_NEAR(normal_magnitude_up(0.5), 0.674489750196082, 1e-11);
  EXPECT_NEAR(normal_magnitude_up(0.95), 1.95996398454005, 1e-11);
  EXPECT_NEAR(normal_magnitude_up(0.99), 2.5758293035489, 1e-11);
  for (const double s : {0.01, 0.4, 1.0, 7.3, 1e6}) {
    const auto width = static_cast<double>(gaussian_half_width(s, 0.95));
    EXPECT_GE(std::erf((width + 0.5) / s / std::sqrt(2.0)), 0.95);
    if (width > 0) {
      EXPECT_LT(std::erf((width - 0.5) / s / std::sqrt(2.0)), 0.95);
    }
  }
  EXPECT_EQ(gaussian_half_width(1e300, 0.95), power_of_ten(38) - 1);
  EXPECT_DOUBLE_EQ(gaussian_rho(2.0), 0.125);
}

}  // namespace
}  // namespace tacit
