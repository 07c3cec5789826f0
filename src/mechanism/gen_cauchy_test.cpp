#include "mechanism/gen_cauchy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/check.hpp"
#include "mechanism/smooth_loss.hpp"
#include "mechanism/smooth_pair_testing.hpp"

namespace tacit {
namespace {

TEST(GenCauchy, BOfTheReferenceTable) {
  struct Row {
    double epsilon, beta, gamma, b;
  };
  for (const Row& row : {
           Row{1, 1e-09, 1.5, 1.2599210492649129}, Row{1, 1e-09, 2, 1.0},
           Row{1, 1e-09, 3, 0.6299605243174761},   Row{1, 1e-09, 4, 0.4386913367734481},
           Row{1, 0.05, 1.5, 1.2276286742412152},  Row{1, 0.05, 2, 0.998749217771909},
           Row{1, 0.05, 3, 0.5968585811844588},    Row{1, 0.05, 4, 0.3931158713288903},
           Row{1, 0.1, 1.5, 1.1937171623689176},   Row{1, 0.1, 2, 0.99498743710662},
           Row{1, 0.1, 3, 0.5604078661310775},     Row{1, 0.1, 4, 0.3438197025493233},
           Row{0.5, 0.1, 1.5, 0.5604078661310775}, Row{0.5, 0.1, 2, 0.48989794855663565},
           Row{0.5, 0.1, 3, 0.23811015779522993},  Row{0.5, 0.1, 4, 0.11547005383792514},
           Row{2, 0.3, 1.5, 2.316267780353369},    Row{2, 0.3, 2, 1.9773719933285188},
           Row{2, 0.3, 3, 1.0406578677916614},     Row{2, 0.3, 4, 0.5802772334621425},
       }) {
    const auto b = gen_cauchy_b_down(Epsilon(row.epsilon), Beta(row.beta), row.gamma);
    ASSERT_TRUE(b.has_value());
    EXPECT_NEAR(*b, row.b, 1e-14 * row.b);
  }
}

TEST(GenCauchy, MagnitudesOfTheReferenceTable) {
  EXPECT_NEAR(gen_cauchy_magnitude(0.1), 0.11107545475447611, 1e-14);
  EXPECT_NEAR(gen_cauchy_magnitude(0.5), 0.5663960350915159, 1e-14);
  EXPECT_NEAR(gen_cauchy_magnitude(0.9), 1.393950677860025, 1e-14);
  EXPECT_NEAR(gen_cauchy_magnitude(0.95), 1.793361576774763, 1e-13);
  EXPECT_NEAR(gen_cauchy_magnitude(0.99), 3.1028322775134582, 1e-13);
  EXPECT_NEAR(gen_cauchy_magnitude(0.999), 6.694637635689546, 1e-12);
  EXPECT_NEAR(gen_cauchy_magnitude(0.7805499), 1.0, 1e-7);
  EXPECT_NEAR(gen_cauchy_magnitude(0.999999) / gen_cauchy_magnitude(0.5), 118.2, 0.05);
}

TEST(GenCauchy, TheTableOfErrorsAtEpsilonOne) {
  struct Row {
    double beta, median, p95, p99;
  };
  for (const Row& row :
       {Row{.00, 1.29, 4.09, 7.07}, Row{.02, 1.35, 4.26, 7.37}, Row{.05, 1.44, 4.56, 7.89}, Row{.10, 1.65, 5.22, 9.02},
        Row{.15, 1.95, 6.18, 10.7}, Row{.20, 2.45, 7.77, 13.4}, Row{.30, 6.80, 21.5, 37.2}}) {
    const double b = gen_cauchy_b_down(Epsilon(1), Beta(row.beta)).value();
    EXPECT_NEAR(gen_cauchy_magnitude(0.50) / b, row.median, 0.006);
    EXPECT_NEAR(gen_cauchy_magnitude(0.95) / b, row.p95, 0.006 * row.p95);
    EXPECT_NEAR(gen_cauchy_magnitude(0.99) / b, row.p99, 0.006 * row.p99);
  }
}

TEST(GenCauchy, FarTailsAndSmallMagnitudesKeepTheirPrecision) {
  // P(|Y| > a) = 2^-53: a^3 = 2 sqrt(2) 2^53 / (3 pi), up to a relative a^-4.
  const double far = std::cbrt(2 * std::sqrt(2.0) * 0x1p53 / (3 * M_PI));
  EXPECT_NEAR(gen_cauchy_magnitude(1 - 0x1p-53) / far, 1.0, 1e-15);
  EXPECT_NEAR(gen_cauchy_magnitude(1e-200) * 2 * std::sqrt(2.0) / M_PI / 1e-200, 1.0, 1e-15);
}

TEST(GenCauchy, TooLargeABetaIsInfeasible) {
  EXPECT_FALSE(gen_cauchy_b_down(Epsilon(1), Beta(0.5)).has_value());
  EXPECT_FALSE(gen_cauchy_b_down(Epsilon(3), Beta(1)).has_value());
  EXPECT_FALSE(gen_cauchy_b_down(Epsilon(3), Beta(std::nextafter(1.0, 2.0))).has_value());
  EXPECT_TRUE(gen_cauchy_b_down(Epsilon(3), Beta(std::nextafter(1.0, 0.0))).has_value());
  EXPECT_FALSE(gen_cauchy_b_down(Epsilon(1), Beta(1), 1.5).has_value());
  EXPECT_TRUE(gen_cauchy_b_down(Epsilon(1), Beta(0.99), 1.5).has_value());
}

RC_GTEST_PROP(GenCauchy, TheLossStaysBelowEpsilonAndReachesIt, ()) {
  const double epsilon = std::exp(*rc::gen::inRange(-7000, 7000) / 1000.0);
  const double gamma = 1.0 + *rc::gen::inRange(10, 8000) / 1000.0;
  const double share = *rc::gen::inRange(0, 1000) / 1000.0;
  const double beta = share * epsilon / std::max(1.0, gamma - 1.0);
  const auto b = gen_cauchy_b_down(Epsilon(epsilon), Beta(beta), gamma);
  RC_ASSERT(b.has_value());
  const double z = std::exp(*rc::gen::inRange(-20'000, 20'000) / 1000.0);
  RC_ASSERT(smooth_loss(beta, *b, z, gen_cauchy_slope(gamma, z)) <= epsilon * (1 + 1e-12));
  // At the z of the proof's equality.
  const double sign = gamma >= 2 ? 1.0 : -1.0;
  const double worst =
      std::pow((gamma - 1) * (epsilon + sign * beta) / (epsilon - sign * (gamma - 1) * beta), 1 / gamma);
  const double loss = smooth_loss(beta, *b, worst, gen_cauchy_slope(gamma, worst));
  RC_ASSERT(std::fabs(loss - epsilon) <= 1e-11 * epsilon);
}

RC_GTEST_PROP(GenCauchy, NeighboursAreWithinEpsilonTimesTheirDistance, ()) {
  const double epsilon = std::exp(*rc::gen::inRange(-5000, 3000) / 1000.0);
  const double beta = (*rc::gen::inRange(1, 1000) / 1000.0) * epsilon / 3;
  const double b = gen_cauchy_b_down(Epsilon(epsilon), Beta(beta)).value();
  const SmoothPair pair = any_smooth_pair(beta);
  const double loss = exact_loss(pair, b, any_signed_output(), gen_cauchy_log_density);
  RC_ASSERT(std::fabs(loss) <= epsilon * pair.distance * (1 + 1e-9) + 1e-9);
}

TEST(GenCauchy, NearlyAllOfTheEpsilonIsUsed) {
  for (const double beta : {0.01, 0.1, 0.3}) {
    const double b = gen_cauchy_b_down(Epsilon(1), Beta(beta)).value();
    const SmoothPair pair = monotone_pair(beta, 0.001);
    double largest = 0.0;
    for (double z = -100; z <= 100; z += 0.001) {
      largest = std::max(largest, std::fabs(exact_loss(pair, b, z, gen_cauchy_log_density)));
    }
    EXPECT_NEAR(largest / 0.001, 1.0, 1e-3);
  }
}

RC_GTEST_PROP(GenCauchy, TheSlopeIsTheDerivativeOfTheLogDensity, ()) {
  const double y = std::exp(*rc::gen::inRange(-2000, 6000) / 1000.0);
  const double step = 1e-5 * y;
  const double drop = gen_cauchy_log_density(y - step) - gen_cauchy_log_density(y + step);
  const double slope = gen_cauchy_slope(4.0, y);
  RC_ASSERT(std::fabs(drop / (2 * step) - slope) <= 1e-6 * slope + 1e-14 / step);
}

TEST(GenCauchy, RefusesBadParameters) {
  EXPECT_THROW(gen_cauchy_b_down(Epsilon(0.0), Beta(0.1)), InvariantBroken);
  EXPECT_THROW(gen_cauchy_b_down(Epsilon(1.0), Beta(-0.1)), InvariantBroken);
  EXPECT_THROW(gen_cauchy_b_down(Epsilon(1.0), Beta(std::nan(""))), InvariantBroken);
  EXPECT_THROW(gen_cauchy_b_down(Epsilon(1.0), Beta(0.1), 1.0), InvariantBroken);
  EXPECT_THROW(gen_cauchy_magnitude(0.0), InvariantBroken);
  EXPECT_THROW(gen_cauchy_magnitude(1.0), InvariantBroken);
  EXPECT_THROW(gen_cauchy_log_density(INFINITY), InvariantBroken);
}

}  // namespace
}  // namespace tacit
