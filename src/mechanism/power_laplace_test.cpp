#include "mechanism/power_laplace.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/check.hpp"
#include "mechanism/laplace.hpp"
#include "mechanism/smooth_loss.hpp"
#include "mechanism/smooth_pair_testing.hpp"

namespace tacit {
namespace {

// The reference values of the theory's checks, computed apart from this code.
TEST(PowerLaplace, MagnitudesOfTheReferenceTable) {
  struct Row {
    double epsilon, beta, probability, magnitude;
  };
  for (const Row& row : {
           Row{1, 0.01, 0.1, 0.10612612114859657},  Row{1, 0.01, 0.5, 0.6981209830844105},
           Row{1, 0.01, 0.6, 0.9231570922953382},   Row{1, 0.01, 0.7, 1.2139144361474432},
           Row{1, 0.01, 0.9, 2.3319933687478365},   Row{1, 0.01, 0.95, 3.043768671027978},
           Row{1, 0.01, 0.99, 4.715611700360262},   Row{1, 0.01, 0.999, 7.154751635371201},
           Row{1, 0.1, 0.1, 0.11335971570146985},   Row{1, 0.1, 0.5, 0.7446171830088794},
           Row{1, 0.1, 0.6, 0.9876071572450842},    Row{1, 0.1, 0.7, 1.3082916239805602},
           Row{1, 0.1, 0.9, 2.6214463402581987},    Row{1, 0.1, 0.95, 3.5273312463145543},
           Row{1, 0.1, 0.99, 5.889459531347536},    Row{1, 0.1, 0.999, 10.00364438368845},
           Row{1, 0.3, 0.1, 0.1321052775459401},    Row{1, 0.3, 0.5, 0.8607248216879902},
           Row{1, 0.3, 0.6, 1.1514006234628895},    Row{1, 0.3, 0.7, 1.5556471764639979},
           Row{1, 0.3, 0.9, 3.4642522213744305},    Row{1, 0.3, 0.95, 5.0354761465792315},
           Row{1, 0.3, 0.99, 10.22963295675189},    Row{1, 0.3, 0.999, 23.72834218446699},
           Row{1, 0.5, 0.1, 0.15609110854142255},   Row{1, 0.5, 0.5, 1.0},
           Row{1, 0.5, 0.6, 1.3541019662496843},    Row{1, 0.5, 0.7, 1.8729833462074166},
           Row{1, 0.5, 0.9, 4.708203932499369},     Row{1, 0.5, 0.95, 7.486832980505133},
           Row{1, 0.5, 0.99, 19.213203435596416},   Row{1, 0.5, 0.999, 65.08203932499366},
           Row{1, 0.9, 0.1, 0.24252096186656227},   Row{1, 0.9, 0.5, 1.430784571680329},
           Row{1, 0.9, 0.6, 1.9961427419133275},    Row{1, 0.9, 0.7, 2.914405269094339},
           Row{1, 0.9, 0.9, 9.708975257106799},     Row{1, 0.9, 0.95, 19.07988399453884},
           Row{1, 0.9, 0.99, 84.83588993319671},    Row{1, 0.9, 0.999, 681.5901850825992},
           Row{0.5, 0.2, 0.1, 0.28656028497771274}, Row{0.5, 0.2, 0.5, 1.8537342056322306},
           Row{0.5, 0.2, 0.6, 2.4937444355155702},  Row{0.5, 0.2, 0.7, 3.4076451280855182},
           Row{0.5, 0.2, 0.9, 8.04736687907055},    Row{0.5, 0.2, 0.95, 12.216103811689832},
           Row{0.5, 0.2, 0.99, 27.7735038304648},   Row{0.5, 0.2, 0.999, 77.32331958477178},
           Row{2, 0.1, 0.1, 0.05463129930108916},   Row{2, 0.1, 0.5, 0.3591966007285369},
           Row{2, 0.1, 0.6, 0.47559787652263735},   Row{2, 0.1, 0.7, 0.6273698631980388},
           Row{2, 0.1, 0.9, 1.2274688363333026},    Row{2, 0.1, 0.95, 1.623404669778035},
           Row{2, 0.1, 0.99, 2.597427229466156},    Row{2, 0.1, 0.999, 4.134545828187082},
       }) {
    EXPECT_NEAR(power_laplace_magnitude(Epsilon(row.epsilon), Beta(row.beta), row.probability), row.magnitude,
                1e-12 * row.magnitude)
        << row.epsilon << " " << row.beta << " " << row.probability;
  }
}

TEST(PowerLaplace, MagnitudesOnBothSidesOfTheJoin) {
  EXPECT_NEAR(power_laplace_magnitude(Epsilon(1), Beta(0.1), 0.25), 0.308975553, 6e-10);
  EXPECT_NEAR(power_laplace_magnitude(Epsilon(1), Beta(0.1), 0.65), 1.135310225, 6e-10);
  EXPECT_NEAR(power_laplace_magnitude(Epsilon(1), Beta(0.1), 0.75), 1.516357135, 6e-10);
}

TEST(PowerLaplace, LogDensitiesOfTheReferenceTable) {
  struct Row {
    double epsilon, beta, y, log_density;
  };
  for (const Row& row : {
           Row{1, 0.1, 0.0, -0.7677759650245307},
           Row{1, 0.1, 0.5, -1.2294156145124855},
           Row{1, 0.1, 1.0, -1.7160206059449674},
           Row{1, 0.1, 2.0, -2.6731457528308944},
           Row{1, 0.1, 10.0, -8.292227614256792},
           Row{1, 0.5, 0.0, -1.0986122886681098},
           Row{1, 0.5, 0.5, -1.3862943611198908},
           Row{1, 0.5, 1.0, -1.791759469228055},
           Row{1, 0.5, 2.0, -2.6548056865833978},
           Row{1, 0.5, 10.0, -5.950642552587728},
       }) {
    EXPECT_NEAR(power_laplace_log_density(Epsilon(row.epsilon), Beta(row.beta), row.y), row.log_density, 1e-13);
    EXPECT_EQ(power_laplace_log_density(Epsilon(row.epsilon), Beta(row.beta), -row.y),
              power_laplace_log_density(Epsilon(row.epsilon), Beta(row.beta), row.y));
  }
}

TEST(PowerLaplace, TheTableOfErrorsAtEpsilonOne) {
  struct Row {
    double beta, median, p95, p99;
  };
  for (const Row& row : {Row{.02, .703, 3.093, 4.830}, Row{.05, .718, 3.247, 5.195}, Row{.10, .745, 3.527, 5.889},
                         Row{.15, .772, 3.841, 6.711}, Row{.20, .800, 4.194, 7.685}, Row{.30, .861, 5.035, 10.23},
                         Row{.50, 1.000, 7.487, 19.21}}) {
    EXPECT_NEAR(power_laplace_magnitude(Epsilon(1), Beta(row.beta), 0.50), row.median, 0.0006);
    EXPECT_NEAR(power_laplace_magnitude(Epsilon(1), Beta(row.beta), 0.95), row.p95, 0.0006);
    EXPECT_NEAR(power_laplace_magnitude(Epsilon(1), Beta(row.beta), 0.99), row.p99, 0.006);
  }
}

TEST(PowerLaplace, TendsToLaplaceAsBetaVanishes) {
  for (const double p : {1e-9, 0.1, 0.5, 0.632, 0.633, 0.95, 0.999999}) {
    for (const double beta : {1e-12, 1e-100, 1e-300, 5e-324}) {
      EXPECT_NEAR(power_laplace_magnitude(Epsilon(2), Beta(beta), p) / laplace_magnitude(Epsilon(2), 1, p), 1.0, 1e-10);
    }
  }
}

struct Parameters {
  Epsilon epsilon;
  Beta beta;
};

// Ratios from nearly 0 to nearly 1, epsilon over six orders of magnitude.
Parameters any_parameters() {
  const double epsilon = std::exp(*rc::gen::inRange(-7000, 7000) / 1000.0);
  const int kind = *rc::gen::inRange(0, 3);
  const double exponent = *rc::gen::inRange(1, 30'000) / 1000.0;
  double ratio = *rc::gen::inRange(1, 1000) / 1000.0;
  if (kind == 1) ratio = std::exp(-exponent);
  if (kind == 2) ratio = -std::expm1(-exponent);
  double beta = epsilon * ratio;
  if (beta >= epsilon) beta = std::nextafter(epsilon, 0.0);
  return {Epsilon(epsilon), Beta(beta)};
}

double any_magnitude() { return std::exp(*rc::gen::inRange(-20'000, 20'000) / 1000.0); }

RC_GTEST_PROP(PowerLaplace, TheLossIsEpsilonEverywhere, ()) {
  const auto [epsilon, beta] = any_parameters();
  const double z = any_magnitude() / epsilon.value();
  const double loss = smooth_loss(beta.value(), 1.0, z, power_laplace_slope(epsilon, beta, z));
  RC_ASSERT(std::fabs(loss - epsilon.value()) <= 1e-12 * epsilon.value() * (1 + beta.value() * z));
  const double at_zero = smooth_loss(beta.value(), 1.0, 0.0, power_laplace_slope(epsilon, beta, 0.0));
  RC_ASSERT(std::fabs(at_zero - epsilon.value()) <= 1e-13 * epsilon.value());
}

RC_GTEST_PROP(PowerLaplace, TheSlopeIsTheDerivativeOfTheLogDensity, ()) {
  const auto [epsilon, beta] = any_parameters();
  const double y = std::exp(*rc::gen::inRange(-3000, 6000) / 1000.0) / epsilon.value();
  const double step = 1e-5 * y;
  const double drop =
      power_laplace_log_density(epsilon, beta, y - step) - power_laplace_log_density(epsilon, beta, y + step);
  const double slope = power_laplace_slope(epsilon, beta, y);
  RC_ASSERT(std::fabs(drop / (2 * step) - slope) <= 1e-4 * slope + 1e-9 / step);
}

// P(|Y| > m) in closed form from the density: the integrals of both branches.
long double tail_of(Epsilon epsilon, Beta beta, double m) {
  const long double e = epsilon.value();
  const long double b = beta.value();
  const long double k = e / b;
  const long double join = std::exp((e - b) / b * std::log1p(-b / e));
  const long double mass = 1 + 2 / k * join;
  if (m <= 1 / e) return 1 + std::expm1(k * std::log1p(-b * m)) / mass;
  return join * (1 + 1 / k) / mass * std::exp(-k * std::log1p((b * m - 1 / k) / (1 + 1 / k)));
}

RC_GTEST_PROP(PowerLaplace, TheMagnitudeInvertsTheTail, ()) {
  const auto [epsilon, beta] = any_parameters();
  const double p = *rc::gen::inRange(1, 100'000) / 100'000.0;
  const auto tail = static_cast<double>(tail_of(epsilon, beta, power_laplace_magnitude(epsilon, beta, p)));
  RC_ASSERT(std::fabs(tail - (1 - p)) <= 1e-12);
}

RC_GTEST_PROP(PowerLaplace, TheHalfWidthIsHardlyLargerThanTheMagnitude, ()) {
  const auto [epsilon, beta] = any_parameters();
  const double p = *rc::gen::inRange(1, 100'000) / 100'000.0;
  const double magnitude = power_laplace_magnitude(epsilon, beta, p);
  const double width = power_laplace_half_width(epsilon, beta, p);
  RC_ASSERT(width > magnitude);
  RC_ASSERT(width <= magnitude * (1 + 0x1p-48));
}

TEST(PowerLaplace, TheDensityIntegratesToOne) {
  for (const double ratio : {0.001, 0.1, 0.5, 0.9, 0.999}) {
    const Epsilon epsilon(2.0);
    const Beta beta(2.0 * ratio);
    const auto density = [&](double y) { return std::exp(power_laplace_log_density(epsilon, beta, y)); };
    // Simpson in y up to the join, in ln y beyond; the rest is below e^-40.
    const auto simpson = [](double from, double to, const auto& f) {
      constexpr int steps = 40'000;
      const double h = (to - from) / steps;
      double sum = f(from) + f(to);
      for (int i = 1; i < steps; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(from + i * h);
      return sum * h / 3;
    };
    const double body = simpson(0.0, 0.5, density);
    const double tail = simpson(std::log(0.5), 40.0, [&](double t) { return density(std::exp(t)) * std::exp(t); });
    EXPECT_NEAR(2 * (body + tail), 1.0, 1e-7) << ratio;
  }
}

RC_GTEST_PROP(PowerLaplace, NeighboursAreWithinEpsilonTimesTheirDistance, ()) {
  const auto [epsilon, beta] = any_parameters();
  const auto e = epsilon;
  const auto b = beta;
  const SmoothPair pair = any_smooth_pair(b.value());
  const auto log_density = [&](double y) { return power_laplace_log_density(e, b, y); };
  const double z = any_signed_output() / e.value();
  RC_ASSERT(std::fabs(exact_loss(pair, 1.0, z, log_density)) <= e.value() * pair.distance * (1 + 1e-9) + 1e-9);
}

TEST(PowerLaplace, AllOfTheEpsilonIsUsed) {
  const Epsilon epsilon(1.0);
  for (const double beta : {0.01, 0.3, 0.9}) {
    const auto log_density = [&](double y) { return power_laplace_log_density(epsilon, Beta(beta), y); };
    for (const double distance : {0.01, 1.0, 3.0}) {
      const SmoothPair pair = monotone_pair(beta, distance);
      double largest = 0.0;
      for (double z = -200; z <= 200; z += 0.01)
        largest = std::max(largest, std::fabs(exact_loss(pair, 1.0, z, log_density)));
      EXPECT_NEAR(largest, distance, 1e-6 * distance);
    }
  }
}

TEST(PowerLaplace, RefusesBadParameters) {
  EXPECT_THROW(power_laplace_magnitude(Epsilon(1.0), Beta(0.0), 0.5), InvariantBroken);
  EXPECT_THROW(power_laplace_magnitude(Epsilon(1.0), Beta(1.0), 0.5), InvariantBroken);
  EXPECT_THROW(power_laplace_magnitude(Epsilon(1.0), Beta(std::nan("")), 0.5), InvariantBroken);
  EXPECT_THROW(power_laplace_magnitude(Epsilon(INFINITY), Beta(1.0), 0.5), InvariantBroken);
  EXPECT_THROW(power_laplace_half_width(Epsilon(1.0), Beta(0.5), 0.0), InvariantBroken);
  EXPECT_THROW(power_laplace_half_width(Epsilon(1.0), Beta(0.5), 1.0), InvariantBroken);
  EXPECT_THROW(power_laplace_log_density(Epsilon(1.0), Beta(0.5), INFINITY), InvariantBroken);
  EXPECT_THROW(power_laplace_slope(Epsilon(1.0), Beta(0.5), -1.0), InvariantBroken);
}

}  // namespace
}  // namespace tacit
