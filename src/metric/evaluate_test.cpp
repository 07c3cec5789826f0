#include "metric/evaluate.hpp"

#include <gtest/gtest.h>

#include "base/check.hpp"
#include "metric/random_metric_testing.hpp"

namespace tacit {
namespace {

using testing::metric;
using testing::random_metric;
using testing::random_vector;
using Vector = std::map<std::string, double>;

TEST(Distance, EveryNodeAsItIsWritten) {
  EXPECT_EQ(distance(*metric("x"), {{"x", -3.0}}), 3.0);
  EXPECT_EQ(distance(*metric("0.5 * x"), {{"x", 3.0}}), 1.5);
  EXPECT_EQ(distance(*metric("l1(x, y)"), {{"x", 3.0}, {"y", -4.0}}), 7.0);
  EXPECT_EQ(distance(*metric("l2(x, y)"), {{"x", 3.0}, {"y", -4.0}}), 5.0);
  EXPECT_EQ(distance(*metric("linf(x, y)"), {{"x", 3.0}, {"y", -4.0}}), 4.0);
  EXPECT_NEAR(distance(*metric("lp(3; x, y)"), {{"x", 3.0}, {"y", -4.0}}), std::cbrt(91.0), 1e-14);
  EXPECT_EQ(distance(*metric("l1(0.1 * l2(x, y), 2 * ln(v))"), {{"x", 3.0}, {"y", 4.0}, {"v", -0.25}}), 1.0);
  EXPECT_EQ(distance(*metric("l1(discrete(k), x)"), {{"k", 17.0}, {"x", 2.0}}), 3.0);
  EXPECT_EQ(distance(*metric("l1(x, y)"), {{"z", 5.0}}), 0.0) << "what the metric does not name does not count";
  EXPECT_THROW(distance(*metric("hamming"), {}), InvariantBroken);
}

TEST(Distance, NeitherOverflowsNorUnderflows) {
  EXPECT_NEAR(distance(*metric("l2(x, y)"), {{"x", 3e200}, {"y", 4e200}}) / 5e200, 1.0, 1e-15);
  EXPECT_NEAR(distance(*metric("lp(7; x, y)"), {{"x", 1e-200}, {"y", 1e-200}}) / 1e-200, std::pow(2.0, 1.0 / 7), 1e-14);
}

TEST(Distance, IsANorm) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 2000; ++round) {
    int columns = 0;
    const auto norm = random_metric(random, 4, columns);
    const auto x = random_vector(random, columns), y = random_vector(random, columns);
    Vector sum, stretched;
    for (const auto& [name, value] : x) sum[name] = value + y.at(name), stretched[name] = -2.5 * value;
    const double of_x = distance(*norm, x), of_y = distance(*norm, y);
    ASSERT_LE(distance(*norm, sum), (of_x + of_y) * (1.0 + 1e-13)) << to_string(*norm);
    ASSERT_NEAR(distance(*norm, stretched), 2.5 * of_x, 1e-13 * of_x) << to_string(*norm);
  }
}

}  // namespace
}  // namespace tacit
