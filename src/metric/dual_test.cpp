#include "metric/dual.hpp"

#include <gtest/gtest.h>

#include "base/check.hpp"
#include "metric/evaluate.hpp"
#include "metric/lp_norm.hpp"
#include "metric/random_metric_testing.hpp"

namespace tacit {
namespace {

using testing::metric;
using testing::random_metric;
using testing::random_vector;
using Vector = std::map<std::string, double>;

// A vector with w.x = N(x) N*(w), built from the top: a part gets a share of the length that makes Hoelder's inequality
// an equality.
Vector best_direction(const MetricNode& node, const Vector& w, double length) {
  if (const auto* column = std::get_if<MetricColumn>(&node.node)) return {{column->column, length}};
  if (const auto* scale = std::get_if<MetricScale>(&node.node)) {
    return best_direction(*scale->child, w, length / to_double(scale->factor));
  }
  const auto& norm = std::get<MetricNorm>(node.node);
  const double p = exponent_value(norm.exponent);
  std::vector<double> duals;
  for (const auto& child : norm.children) {
    Vector inside;
    for (const auto& column : columns_of(*child)) inside[column.column] = w.at(column.column);
    duals.push_back(dual_norm(*child, inside));
  }
  const double largest = *std::max_element(duals.begin(), duals.end());
  std::vector<double> shares;
  for (const double dual : duals) {
    if (p == 1.0)
      shares.push_back(dual == largest ? 1.0 : 0.0);
    else if (std::isinf(p))
      shares.push_back(1.0);
    else
      shares.push_back(largest == 0.0 ? 0.0 : std::pow(dual / largest, 1.0 / (p - 1.0)));
  }
  if (p == 1.0) {  // one of those that are largest
    const auto first = std::find(shares.begin(), shares.end(), 1.0);
    std::fill(first + 1, shares.end(), 0.0);
  }
  const double whole = lp_norm(shares, p);
  Vector x;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    x.merge(best_direction(*norm.children[i], w, whole == 0.0 ? 0.0 : length * shares[i] / whole));
  }
  return x;
}

double product(const Vector& w, const Vector& x) {
  double sum = 0.0;
  for (const auto& [name, value] : x) sum += w.at(name) * std::abs(value);
  return sum;
}

Vector positive(Vector vector) {
  for (auto& [name, value] : vector) value = std::abs(value);
  return vector;
}

TEST(DualNorm, KnownValues) {
  EXPECT_NEAR(dual_norm(*metric("l1(2 * x, y)"), {{"x", 3.0}, {"y", 1.0}}), 1.5, 1e-12);
  EXPECT_NEAR(dual_norm(*metric("l2(x, y)"), {{"x", 3.0}, {"y", 4.0}}), 5.0, 1e-12);
  EXPECT_NEAR(dual_norm(*metric("linf(x, y)"), {{"x", 3.0}, {"y", 4.0}}), 7.0, 1e-12);
  EXPECT_NEAR(dual_norm(*metric("l1(30 * linf(a, b, c), x)"), {{"a", 1.0}, {"b", 2.0}, {"c", 3.0}}), 0.2, 1e-12);
  EXPECT_NEAR(dual_norm(*metric("lp(3; x, y)"), {{"x", 1.0}, {"y", 1.0}}), std::pow(2.0, 2.0 / 3.0), 1e-12);
  EXPECT_GE(dual_norm(*metric("3 * x"), {{"x", 1.0}}), 1.0 / 3.0) << "rounded up";
}

TEST(DualNorm, AColumnOutsideTheMetricIsBeyondEveryDistance) {
  EXPECT_EQ(dual_norm(*metric("x"), {{"y", 1e-9}}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(dual_norm(*metric("x"), {{"y", 0.0}}), 0.0);
  EXPECT_THROW(dual_norm(*metric("x"), {{"x", -1.0}}), InvariantBroken);
}

TEST(DualNorm, NoDirectionExceedsItAndOneAttainsIt) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 1500; ++round) {
    int columns = 0;
    const auto norm = random_metric(random, 4, columns);
    const auto w = positive(random_vector(random, columns));
    const double dual = dual_norm(*norm, w);
    for (int i = 0; i < 20; ++i) {
      const auto x = random_vector(random, columns);
      ASSERT_LE(product(w, x), dual * distance(*norm, x) * (1.0 + 1e-12)) << to_string(*norm);
    }
    const auto best = best_direction(*norm, w, 1.0);
    ASSERT_NEAR(distance(*norm, best), dual == 0.0 ? distance(*norm, best) : 1.0, 1e-9) << to_string(*norm);
    ASSERT_NEAR(product(w, best), dual, 1e-9 * dual) << to_string(*norm);
  }
}

TEST(DualNorm, IsANorm) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 1000; ++round) {
    int columns = 0;
    const auto norm = random_metric(random, 4, columns);
    const auto v = positive(random_vector(random, columns)), w = positive(random_vector(random, columns));
    Vector sum, stretched;
    for (const auto& [name, value] : v) sum[name] = value + w.at(name), stretched[name] = 3.0 * value;
    ASSERT_LE(dual_norm(*norm, sum), (dual_norm(*norm, v) + dual_norm(*norm, w)) * (1.0 + 1e-12));
    ASSERT_NEAR(dual_norm(*norm, stretched), 3.0 * dual_norm(*norm, v), 1e-11 * dual_norm(*norm, stretched));
  }
}

}  // namespace
}  // namespace tacit
