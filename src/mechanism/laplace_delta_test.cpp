#include "mechanism/laplace_delta.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "base/check.hpp"
#include "mechanism/power_laplace.hpp"
#include "mechanism/smooth_pair_testing.hpp"

namespace tacit {
namespace {

TEST(LaplaceDelta, DeltaOfTheReferenceTable) {
  EXPECT_NEAR(laplace_delta_of(Epsilon(1), Beta(.04), .3).value() / 3.0356583551716565e-10, 1, 1e-6);
  EXPECT_NEAR(laplace_delta_of(Epsilon(1), Beta(.03), .5).value() / 5.243250989184953e-10, 1, 1e-6);
  EXPECT_NEAR(laplace_delta_of(Epsilon(1), Beta(.06), .2).value() / 2.9355993828565676e-08, 1, 1e-6);
  EXPECT_NEAR(laplace_delta_of(Epsilon(1), Beta(.1), .1).value() / 4.212085057476855e-06, 1, 1e-6);
}

TEST(LaplaceDelta, BOfTheReferenceTable) {
  struct Row {
    double epsilon, delta, beta, b;
  };
  for (const Row& row : {
           Row{1, 1e-06, 0.01, 0.9198364430718445},
           Row{1, 1e-06, 0.02, 0.8258268590015897},
           Row{1, 1e-06, 0.03, 0.7266019594471819},
           Row{1, 1e-06, 0.04, 0.6239964942364717},
           Row{1, 1e-06, 0.05, 0.5188819774201868},
           Row{1, 1e-09, 0.01, 0.8507588902820231},
           Row{1, 1e-09, 0.02, 0.6876717534219469},
           Row{1, 1e-09, 0.03, 0.5193693010777177},
           Row{1, 1e-09, 0.04, 0.34768628194960494},
           Row{1, 1e-09, 0.05, 0.1734457183323038},
       }) {
    const auto b = laplace_delta_b_down(Epsilon(row.epsilon), Delta(row.delta), Beta(row.beta));
    ASSERT_TRUE(b.has_value());
    EXPECT_NEAR(*b, row.b, 1e-6);  // found by a search with this tolerance
  }
  EXPECT_FALSE(laplace_delta_b_down(Epsilon(1), Delta(1e-6), Beta(.1)).has_value());
}

TEST(LaplaceDelta, PowerLaplaceIsSmaller) {
  for (const double beta : {.005, .01, .02, .03, .04, .05}) {
    const double b = laplace_delta_b_down(Epsilon(1), Delta(1e-6), Beta(beta)).value();
    EXPECT_LT(power_laplace_magnitude(Epsilon(1), Beta(beta), 0.5), std::log(2.0) / b);
    EXPECT_LT(power_laplace_magnitude(Epsilon(1), Beta(beta), 0.95), std::log(20.0) / b);
  }
}

// The mass of [from, to] under Laplace noise, without cancellation in the tails; the ends may be infinite.
long double mass(long double from, long double to, long double centre, long double rate) {
  const long double lower = (from - centre) * rate;
  const long double upper = (to - centre) * rate;
  if (lower >= 0) return (std::exp(-lower) - std::exp(-upper)) / 2;
  if (upper <= 0) return (std::exp(upper) - std::exp(lower)) / 2;
  return 1 - std::exp(lower) / 2 - std::exp(-upper) / 2;
}

// The integral of max(0, p - e^epsilon q): p of rate b at 0, q of rate b / c at f. The log-ratio is linear on each of
// the three intervals between the centres.
double excess(double epsilon, double b, const SmoothPair& pair) {
  const long double inf = INFINITY;
  const long double rate = static_cast<long double>(b) / pair.c;
  const auto log_excess = [&](long double y) {
    return std::log(static_cast<long double>(pair.c)) - b * std::fabs(y) + rate * std::fabs(y - pair.f) - epsilon;
  };
  const long double left = std::min(0.0, pair.f);
  const long double right = std::max(0.0, pair.f);
  const std::array<std::array<long double, 2>, 3> pieces{{{-inf, left}, {left, right}, {right, inf}}};
  long double sum = 0;
  for (const auto& [from, to] : pieces) {
    if (from == to) continue;
    const long double inside = std::isinf(from) ? to - 1 : from;
    const long double start = log_excess(inside);
    const long double slope =
        std::isinf(from) || std::isinf(to) ? log_excess(inside + 1) - start : (log_excess(to) - start) / (to - from);
    long double lower = from;
    long double upper = to;
    if (slope > 0) lower = std::max(from, inside - start / slope);
    if (slope < 0) upper = std::min(to, inside - start / slope);
    if (slope == 0 && start <= 0) continue;
    if (lower >= upper) continue;
    sum += mass(lower, upper, 0, b) - std::exp(static_cast<long double>(epsilon)) * mass(lower, upper, pair.f, rate);
  }
  return static_cast<double>(sum);
}

TEST(LaplaceDelta, TheMonotonePairAttainsIt) {
  for (const double epsilon : {0.5, 1.0, 3.0}) {
    for (const double share : {0.05, 0.1, 0.3, 0.6}) {
      const double beta = share * epsilon;
      const double b = 0.5 * beta * (epsilon - beta) / std::expm1(beta);
      const double delta = laplace_delta_of(Epsilon(epsilon), Beta(beta), b).value();
      EXPECT_NEAR(excess(epsilon, b, monotone_pair(-beta, 1.0)) / delta, 1.0, 1e-6) << epsilon << " " << beta;
    }
  }
}

struct Setting {
  double epsilon, beta, b;
};

Setting any_setting() {
  const double epsilon = std::exp(*rc::gen::inRange(-3000, 1500) / 1000.0);
  const double beta = epsilon * *rc::gen::inRange(20, 1000) / 1000.0;
  const double share = *rc::gen::inRange(1, 1000) / 1000.0;
  return {epsilon, beta, share * beta * (epsilon - beta) / std::expm1(beta)};
}

RC_GTEST_PROP(LaplaceDelta, NoPairExceedsIt, ()) {
  const auto [epsilon, beta, b] = any_setting();
  const double distance = *rc::gen::inRange(1, 1001) / 1000.0;
  const double theta = (*rc::gen::inRange(-1000, 1001) / 1000.0) * beta * distance;
  SmoothPair pair = peaked_pair(beta, distance, theta);
  const double share = *rc::gen::inRange(0, 4) == 0 ? *rc::gen::inRange(-1000, 1001) / 1000.0 : 1.0;
  pair.f *= share;
  const double delta = laplace_delta_of(Epsilon(epsilon), Beta(beta), b).value();
  RC_ASSERT(excess(epsilon, b, pair) <= delta * (1 + 1e-6) + 1e-16);
}

RC_GTEST_PROP(LaplaceDelta, TheBForADeltaHasThatDelta, ()) {
  const auto [epsilon, beta, b] = any_setting();
  const Delta delta = laplace_delta_of(Epsilon(epsilon), Beta(beta), b);
  RC_PRE(delta.value() > 1e-300);
  const auto back = laplace_delta_b_down(Epsilon(epsilon), Delta(delta.value() * 1.001), Beta(beta));
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back >= b * (1 - 1e-9));
  RC_ASSERT(laplace_delta_of(Epsilon(epsilon), Beta(beta), *back).value() <= delta.value() * 1.001 * (1 + 1e-12));
}

TEST(LaplaceDelta, LargeDeltasStopAtTheLimitOfTheProof) {
  const double b = laplace_delta_b_down(Epsilon(1), Delta(0.5), Beta(0.2)).value();
  EXPECT_NEAR(b, 0.2 * 0.8 / std::expm1(0.2), 1e-12);
  EXPECT_LT(b, 0.2 * 0.8 / std::expm1(0.2));
}

TEST(LaplaceDelta, TinyBetasDoNotOverflow) {
  // exp((epsilon + beta) / beta) is beyond every floating-point range; the noise is nearly Laplace of scale 1.
  EXPECT_NEAR(laplace_delta_b_down(Epsilon(1), Delta(1e-9), Beta(1e-9)).value(), 1.0, 1e-7);
  EXPECT_NEAR(laplace_delta_b_down(Epsilon(1), Delta(1e-9), Beta(1e-300)).value(), 1.0, 1e-7);
}

TEST(LaplaceDelta, RefusesBadParameters) {
  EXPECT_THROW(laplace_delta_b_down(Epsilon(1), Delta(0), Beta(.1)), InvariantBroken);
  EXPECT_THROW(laplace_delta_b_down(Epsilon(1), Delta(1), Beta(.1)), InvariantBroken);
  EXPECT_THROW(laplace_delta_b_down(Epsilon(1), Delta(1e-6), Beta(0)), InvariantBroken);
  EXPECT_THROW(laplace_delta_b_down(Epsilon(1), Delta(1e-6), Beta(1)), InvariantBroken);
  EXPECT_THROW(laplace_delta_b_down(Epsilon(INFINITY), Delta(1e-6), Beta(1)), InvariantBroken);
  EXPECT_THROW(laplace_delta_of(Epsilon(1), Beta(.1), 0.0), InvariantBroken);
  EXPECT_THROW(laplace_delta_of(Epsilon(1), Beta(.1), 0.99), InvariantBroken);
}

}  // namespace
}  // namespace tacit
