#include "metric/normal_form.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "metric/evaluate.hpp"
#include "metric/random_metric_testing.hpp"

namespace tacit {
namespace {

using testing::metric;
using testing::random_metric;

std::string form(std::string_view text) { return to_string(*normal_form(metric(text))); }

MetricPtr make(auto node) { return std::make_shared<const MetricNode>(MetricNode{std::move(node)}); }

TEST(NormalForm, IsOneForEverySpelling) {
  EXPECT_EQ(form("l1(lat, lon)"), "l1(lat, lon)");
  EXPECT_EQ(form(" l1( lon ,lat )"), "l1(lat, lon)");
  EXPECT_EQ(form("l1(1.0 * lat, l1(lon))"), "l1(lat, lon)");
  EXPECT_EQ(form("l1(l1(lon), l1(lat))"), "l1(lat, lon)");
  EXPECT_EQ(form("2 * l1(lat, 0.50 * lon)"), "l1(2 * lat, lon)");
  EXPECT_EQ(form("l1(l2(x))"), "x");
  EXPECT_EQ(form("lp(2.0; y, lp(2; x))"), "l2(x, y)");
  EXPECT_EQ(form("linf(ln(y), discrete(x))"), "linf(discrete(x), ln(y))");
  EXPECT_EQ(form("hamming"), "hamming");
}

TEST(NormalForm, TellsDifferentDistancesApart) {
  for (const char* other : {"l1(lat, 2 * lon)", "l2(lat, lon)", "linf(lat, lon)", "l1(lat, ln(lon))", "lat",
                            "l1(lat, lon, x)", "l1(lat, discrete(lon))", "1.000001 * l1(lat, lon)"}) {
    EXPECT_NE(form(other), form("l1(lat, lon)")) << other;
  }
}

TEST(NormalForm, KeepsAFactorThatDoesNotFit) {
  const auto wide =
      make(MetricScale{Decimal{power_of_ten(30), 0}, make(MetricScale{Decimal{power_of_ten(30) + 1, 0}, metric("x")})});
  EXPECT_EQ(columns_of(*normal_form(wide)).size(), 1u);
  EXPECT_DOUBLE_EQ(distance(*normal_form(wide), {{"x", 1.0}}), distance(*wide, {{"x", 1.0}}));
}

// What an owner may do to a metric without meaning anything by it.
MetricPtr rewritten(std::mt19937_64& random, const MetricPtr& node) {
  MetricPtr result = node;
  if (const auto* scale = std::get_if<MetricScale>(&node->node)) {
    result = make(MetricScale{scale->factor, rewritten(random, scale->child)});
  } else if (const auto* norm = std::get_if<MetricNorm>(&node->node)) {
    MetricNorm other{norm->exponent, {}};
    for (const auto& child : norm->children) other.children.push_back(rewritten(random, child));
    std::shuffle(other.children.begin(), other.children.end(), random);
    if (other.children.size() > 2 && random() % 2 == 0) {  // some of them in a norm of their own
      const auto cut = other.children.begin() + 2;
      MetricNorm inner{norm->exponent, {other.children.begin(), cut}};
      other.children.erase(other.children.begin(), cut);
      other.children.push_back(make(std::move(inner)));
    }
    result = make(std::move(other));
  }
  switch (random() % 5) {
    case 0: return make(MetricScale{Decimal{1000, 3}, result});
    case 1: return make(MetricScale{Decimal{2, 0}, make(MetricScale{Decimal{5, 1}, result})});
    case 2: return make(MetricNorm{{false, Decimal{1 + static_cast<long long>(random() % 4), 0}}, {result}});
    case 3: return make(MetricNorm{{true, Decimal{1, 0}}, {result}});
    default: return result;
  }
}

// The same metric but for the factor of one column.
MetricPtr changed(const MetricPtr& node, const std::string& column) {
  if (const auto* scale = std::get_if<MetricScale>(&node->node)) {
    return make(MetricScale{scale->factor, changed(scale->child, column)});
  }
  if (const auto* norm = std::get_if<MetricNorm>(&node->node)) {
    MetricNorm other{norm->exponent, {}};
    for (const auto& child : norm->children) other.children.push_back(changed(child, column));
    return make(std::move(other));
  }
  if (std::get<MetricColumn>(node->node).column != column) return node;
  return make(MetricScale{Decimal{1001, 3}, node});
}

TEST(NormalForm, SurvivesRandomRewritesAndNoRealChange) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 3000; ++round) {
    int columns = 0;
    const MetricPtr original = random_metric(random, 4, columns);
    const std::string expected = to_string(*normal_form(original));
    const MetricPtr other = rewritten(random, original);
    EXPECT_EQ(to_string(*normal_form(other)), expected) << to_string(*other);
    EXPECT_EQ(to_string(*normal_form(normal_form(other))), expected) << "a normal form is its own";
    EXPECT_EQ(to_string(*metric(expected)), expected) << "it reads back";
    const MetricPtr real = changed(other, "c" + std::to_string(random() % static_cast<unsigned>(columns)));
    EXPECT_NE(to_string(*normal_form(real)), expected) << to_string(*real);

    const auto vector = testing::random_vector(random, columns);
    const double size = distance(*original, vector);
    EXPECT_NEAR(distance(*normal_form(other), vector), size, 1e-9 * size) << expected;
  }
}

}  // namespace
}  // namespace tacit
