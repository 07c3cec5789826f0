#include "mechanism/student_t.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "base/check.hpp"
#include "mechanism/smooth_loss.hpp"
#include "mechanism/smooth_pair_testing.hpp"

namespace tacit {
namespace {

TEST(StudentT, BOfTheReferenceTable) {
  struct Row {
    double epsilon, beta, degrees, b;
  };
  for (const Row& row : {
           Row{1, 0.05, 1, 0.998749217771909},
           Row{1, 0.05, 2, 0.9165151389911681},
           Row{1, 0.05, 3, 0.8181534085976786},
           Row{1, 0.05, 4, 0.7332121111929344},
           Row{1, 0.1, 1, 0.99498743710662},
           Row{1, 0.1, 2, 0.8844332774281066},
           Row{1, 0.1, 3, 0.7599342076785331},
           Row{1, 0.1, 4, 0.6499230723708768},
           Row{0.5, 0.1, 1, 0.4898979485566356},
           Row{0.5, 0.1, 2, 0.39999999999999997},
           Row{0.5, 0.1, 3, 0.30000000000000004},
           Row{0.5, 0.1, 4, 0.19595917942265417},
       }) {
    const auto b = student_t_b_down(Epsilon(row.epsilon), Beta(row.beta), row.degrees);
    ASSERT_TRUE(b.has_value());
    EXPECT_NEAR(*b, row.b, 1e-14 * row.b);
    // The form in which the theory states it.
    const double loss = (row.degrees + 1) / 2 * std::sqrt(row.beta * row.beta + *b * *b / row.degrees) +
                        (row.degrees - 1) / 2 * row.beta;
    EXPECT_NEAR(loss, row.epsilon, 1e-14);
  }
}

TEST(StudentT, MagnitudesAndDensitiesAreThoseOfTheDistribution) {
  const boost::math::students_t distribution(3.0);
  for (const double p : {1e-12, 1e-3, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99, 0.999, 1 - 1e-9}) {
    const double magnitude = student_t_magnitude(p);
    const double tail = 2 * boost::math::cdf(boost::math::complement(distribution, magnitude));
    EXPECT_NEAR(tail / (1 - p), 1.0, 1e-7 * p + 1e-13);
    EXPECT_NEAR(student_t_log_density(magnitude), std::log(boost::math::pdf(distribution, magnitude)), 1e-12);
    EXPECT_EQ(student_t_log_density(-magnitude), student_t_log_density(magnitude));
  }
  EXPECT_NEAR(student_t_magnitude(0.5), boost::math::quantile(distribution, 0.75), 1e-14);
  EXPECT_NEAR(student_t_magnitude(0.95), boost::math::quantile(distribution, 0.975), 1e-13);
}

TEST(StudentT, SmallMagnitudesAndFarTailsKeepTheirPrecision) {
  const double density = 4 / (M_PI * std::sqrt(3.0));  // of |Y| at 0
  EXPECT_NEAR(student_t_magnitude(1e-200) * density / 1e-200, 1.0, 1e-15);
  const double far = std::sqrt(3.0) * std::cbrt(4 * 0x1p53 / (3 * M_PI));
  EXPECT_NEAR(student_t_magnitude(1 - 0x1p-53) / far, 1.0, 1e-9);
}

TEST(StudentT, TooLargeABetaIsInfeasible) {
  EXPECT_FALSE(student_t_b_down(Epsilon(3), Beta(1)).has_value());
  EXPECT_FALSE(student_t_b_down(Epsilon(3), Beta(2)).has_value());
  EXPECT_TRUE(student_t_b_down(Epsilon(3), Beta(std::nextafter(1.0, 0.0))).has_value());
  EXPECT_NEAR(student_t_b_down(Epsilon(1), Beta(0)).value(), std::sqrt(3.0) / 2, 1e-14);
}

RC_GTEST_PROP(StudentT, TheLossStaysBelowEpsilonAndReachesIt, ()) {
  const double epsilon = std::exp(*rc::gen::inRange(-7000, 7000) / 1000.0);
  const double degrees = 1.0 + *rc::gen::inRange(0, 20'000) / 1000.0;
  const double beta = (*rc::gen::inRange(0, 1000) / 1000.0) * epsilon / degrees;
  const auto b = student_t_b_down(Epsilon(epsilon), Beta(beta), degrees);
  RC_ASSERT(b.has_value());
  const double z = std::exp(*rc::gen::inRange(-20'000, 20'000) / 1000.0);
  RC_ASSERT(smooth_loss(beta, *b, z, student_t_slope(degrees, z)) <= epsilon * (1 + 1e-12));
  const double worst = std::sqrt(degrees * (epsilon + beta) / (epsilon - degrees * beta));
  const double loss = smooth_loss(beta, *b, worst, student_t_slope(degrees, worst));
  RC_ASSERT(std::fabs(loss - epsilon) <= 1e-11 * epsilon);
}

RC_GTEST_PROP(StudentT, NeighboursAreWithinEpsilonTimesTheirDistance, ()) {
  const double epsilon = std::exp(*rc::gen::inRange(-5000, 3000) / 1000.0);
  const double beta = (*rc::gen::inRange(1, 1000) / 1000.0) * epsilon / 3;
  const double b = student_t_b_down(Epsilon(epsilon), Beta(beta)).value();
  const SmoothPair pair = any_smooth_pair(beta);
  const double loss = exact_loss(pair, b, any_signed_output(), student_t_log_density);
  RC_ASSERT(std::fabs(loss) <= epsilon * pair.distance * (1 + 1e-9) + 1e-9);
}

TEST(StudentT, NearlyAllOfTheEpsilonIsUsed) {
  for (const double beta : {0.01, 0.1, 0.3}) {
    const double b = student_t_b_down(Epsilon(1), Beta(beta)).value();
    const SmoothPair pair = monotone_pair(beta, 0.001);
    double largest = 0.0;
    for (double z = -100; z <= 100; z += 0.001) {
      largest = std::max(largest, std::fabs(exact_loss(pair, b, z, student_t_log_density)));
    }
    EXPECT_NEAR(largest / 0.001, 1.0, 1e-3);
  }
}

RC_GTEST_PROP(StudentT, TheSlopeIsTheDerivativeOfTheLogDensity, ()) {
  const double y = std::exp(*rc::gen::inRange(-2000, 6000) / 1000.0);
  const double step = 1e-5 * y;
  const double drop = student_t_log_density(y - step) - student_t_log_density(y + step);
  const double slope = student_t_slope(3.0, y);
  RC_ASSERT(std::fabs(drop / (2 * step) - slope) <= 1e-6 * slope + 1e-14 / step);
}

TEST(StudentT, RefusesBadParameters) {
  EXPECT_THROW(student_t_b_down(Epsilon(0.0), Beta(0.1)), InvariantBroken);
  EXPECT_THROW(student_t_b_down(Epsilon(1.0), Beta(-0.1)), InvariantBroken);
  EXPECT_THROW(student_t_b_down(Epsilon(std::nan("")), Beta(0.1)), InvariantBroken);
  EXPECT_THROW(student_t_b_down(Epsilon(1.0), Beta(0.1), 0.5), InvariantBroken);
  EXPECT_THROW(student_t_magnitude(0.0), InvariantBroken);
  EXPECT_THROW(student_t_magnitude(1.0), InvariantBroken);
  EXPECT_THROW(student_t_log_density(INFINITY), InvariantBroken);
}

}  // namespace
}  // namespace tacit
