// The checks themselves: they accept what the theory allows and catch what it does not.

#include "soundness/metric/check.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "soundness/metric/distance.hpp"

namespace tacit::soundness::metric {
namespace {

double tight_b_of_cauchy(double epsilon, double beta, double g) {
  return std::pow(epsilon + beta, 1.0 / g) * std::pow((epsilon - (g - 1.0) * beta) / (g - 1.0), (g - 1.0) / g);
}

double tight_b_of_student(double epsilon, double beta, double d) {
  const double part = (2.0 * epsilon - (d - 1.0) * beta) / (d + 1.0);
  return std::sqrt(d) * std::sqrt(part * part - beta * beta);
}

const Noise laws[] = {{Noise::Law::laplace, 1.5, 0.0, 1.5, 0.0},
                      {Noise::Law::power_laplace, 1.0, 0.2, 1.0, 0.0},
                      {Noise::Law::power_laplace, 0.1, 0.08, 1.0, 0.0},
                      {Noise::Law::general_cauchy, 1.0, 0.2, tight_b_of_cauchy(1.0, 0.2, 4.0), 4.0},
                      {Noise::Law::student, 1.0, 0.2, tight_b_of_student(1.0, 0.2, 3.0), 3.0}};
const Noise plain_laplace{Noise::Law::laplace, 1.0, 0.0, 1.0, 0.0};

Guarantee alone(const Noise& noise) { return {{noise}, {0.0}, noise.epsilon, 0.0}; }

TEST(NoiseDensity, HasTotalMassOne) {
  for (const Noise& noise : laws) {
    // Substitute y = f + c sinh(t), so that heavy tails are covered.
    const double f = 3.0;
    const double c = 0.5;
    double mass = 0.0;
    const double step = 1e-3;
    for (double t = -40.0; t < 40.0; t += step)
      mass += std::exp(log_density(noise, f, c, f + c * std::sinh(t))) * c * std::cosh(t) * step;
    EXPECT_NEAR(mass, 1.0, 1e-4);
  }
}

// f = e^(beta x) / beta with c = f' needs every bit of the guarantee.
Outputs steep(double beta, double x, double share_of_bound) {
  return {{{std::exp(beta * x) / beta, share_of_bound * std::exp(beta * x)}}};
}

TEST(FindViolation, AcceptsAFunctionThatExhaustsTheGuarantee) {
  for (const Noise& noise : laws) {
    if (noise.beta == 0.0) continue;
    const Guarantee guarantee = alone(noise);
    for (const double d : {1e-3, 0.1, 1.0, 10.0, 50.0}) {
      const Outputs one = steep(noise.beta, 0.0, 1.0);
      const Outputs other = steep(noise.beta, d, 1.0);
      EXPECT_EQ(find_violation(guarantee, one, other, d), std::nullopt);
      EXPECT_EQ(find_violation(guarantee, other, one, d), std::nullopt);
    }
  }
}

TEST(FindViolation, CatchesABoundThatIsTooSmall) {
  for (const Noise& noise : laws) {
    if (noise.beta == 0.0) continue;
    const Guarantee guarantee = alone(noise);
    for (const double d : {1e-3, 0.1, 1.0, 10.0})
      EXPECT_NE(find_violation(guarantee, steep(noise.beta, 0.0, 0.98), steep(noise.beta, d, 0.98), d), std::nullopt);
  }
}

TEST(FindViolation, CatchesNoiseThatIsTooSmall) {
  for (Noise noise : laws) {
    if (noise.beta == 0.0 || noise.law == Noise::Law::power_laplace) continue;
    noise.b *= 1.02;
    double worst = 0.0;
    for (const double d : {1e-3, 0.1, 1.0})
      worst += find_violation(alone(noise), steep(noise.beta, 0.0, 1.0), steep(noise.beta, d, 1.0), d).has_value();
    EXPECT_GT(worst, 0.0);
  }
}

TEST(FindViolation, CatchesABoundThatJumps) {
  const Guarantee guarantee = alone(laws[1]);
  const auto wrong = find_violation(guarantee, {{{1.0, 1.0}}}, {{{1.0, 1.3}}}, 1.0);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_NE(wrong->find("(b)"), std::string::npos);
}

TEST(FindViolation, CatchesGroupsThatTogetherLoseTooMuch) {
  // Each output keeps its own promise, but a cell that moves both must pay twice.
  const Guarantee guarantee = alone(plain_laplace);
  const Outputs one{{{0.0, 1.0}}, {{0.0, 1.0}}};
  EXPECT_NE(find_violation(guarantee, one, {{{1.0, 1.0}}, {{-1.0, 1.0}}}, 1.0), std::nullopt);
  EXPECT_EQ(find_violation(guarantee, one, {{{0.5, 1.0}}, {{-0.5, 1.0}}}, 1.0), std::nullopt);
}

TEST(FindViolation, CatchesGroupsThatComeAndGo) {
  const Guarantee guarantee = alone(plain_laplace);
  EXPECT_NE(find_violation(guarantee, {{{0.0, 1.0}}}, {}, 100.0), std::nullopt);
}

TEST(MostMovement, IsTheIntegralOfTheSmallerSide) {
  for (const double beta : {0.01, 0.3, 2.0}) {
    for (const double stretched : {-1.0, -0.3, 0.0, 0.7, 1.0}) {
      const double d = 3.0;
      const double c = 2.0;
      const double c_moved = c * std::exp(stretched * beta * d);
      double sum = 0.0;
      for (int i = 0; i < 10'000; ++i) {
        const double t = d * (i + 0.5) / 10'000;
        sum += std::min(c * std::exp(beta * t), c_moved * std::exp(beta * (d - t))) * d / 10'000;
      }
      EXPECT_NEAR(most_movement(c, c_moved, beta, d), sum, 1e-5 * sum);
    }
  }
}

TEST(Distance, FollowsTheOwnersWords) {
  World world;
  Table table;
  table.columns.resize(4);
  for (std::size_t c = 1; c < 4; ++c) table.columns[c].role = Column::Role::private_cell;
  table.columns[2].kind = Kind::real;
  table.columns[2].use = Column::Use::logarithm;
  table.columns[3].kind = Kind::text;
  table.columns[3].use = Column::Use::discrete;
  table.metric = {1.0, 1.0, {{0.5, 2.0, {{1.0, 1.0, {}, 1}, {4.0, 1.0, {}, 2}}, 0}, {10.0, 1.0, {}, 3}}, 0};
  world.tables = {table};
  const Row row{Datum(1LL), Datum(5LL), Datum(1.0), Datum(std::string("a"))};
  Data one{{row, row}};
  Data other = one;
  EXPECT_EQ(distance(world, one, other), 0.0);
  other[0][0][1] = Datum(8LL);
  EXPECT_DOUBLE_EQ(distance(world, one, other), 1.5);
  other[0][0][2] = Datum(std::exp(1.0));
  EXPECT_DOUBLE_EQ(distance(world, one, other), 2.5);
  other[0][1][3] = std::nullopt;
  EXPECT_DOUBLE_EQ(distance(world, one, other), 12.5);
  other[0][1][1] = std::nullopt;
  EXPECT_TRUE(std::isinf(distance(world, one, other)));
  other = one;
  other[0][0][0] = Datum(2LL);
  EXPECT_TRUE(std::isinf(distance(world, one, other)));
}

}  // namespace
}  // namespace tacit::soundness::metric
