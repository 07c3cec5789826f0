#include "metric/normal_form.hpp"

#include <algorithm>

namespace tacit {
namespace {

MetricPtr make(auto node) { return std::make_shared<const MetricNode>(MetricNode{std::move(node)}); }

MetricPtr scaled(const Decimal& factor, MetricPtr metric) {
  if (factor == Decimal{1, 0}) return metric;
  return make(MetricScale{shortest(factor), std::move(metric)});
}

MetricPtr norm_of(const NormExponent& exponent, std::vector<MetricPtr> children) {
  if (children.size() == 1) return children.front();
  std::sort(children.begin(), children.end(),
            [](const MetricPtr& a, const MetricPtr& b) { return to_string(*a) < to_string(*b); });
  NormExponent shown = exponent;
  if (!shown.infinite) shown.p = shortest(shown.p);
  return make(MetricNorm{shown, std::move(children)});
}

// The normal form of factor * metric.
MetricPtr normal(const MetricPtr& metric, const Decimal& factor) {
  if (const auto* scale = std::get_if<MetricScale>(&metric->node)) {
    const auto product = multiply(shortest(factor), shortest(scale->factor));
    if (product) return normal(scale->child, *product);
    return scaled(factor, normal(scale->child, scale->factor));
  }
  const auto* norm = std::get_if<MetricNorm>(&metric->node);
  if (norm == nullptr) return scaled(factor, metric);
  std::vector<MetricPtr> children;
  for (const auto& child : norm->children) {
    const MetricPtr part = normal(child, factor);
    const auto* inner = std::get_if<MetricNorm>(&part->node);
    if (inner != nullptr && inner->exponent == norm->exponent) {
      children.insert(children.end(), inner->children.begin(), inner->children.end());
    } else {
      children.push_back(part);
    }
  }
  return norm_of(norm->exponent, std::move(children));
}

}  // namespace

Decimal shortest(Decimal number) {
  while (number.scale > 0 && number.units % 10 == 0) {
    number.units /= 10;
    --number.scale;
  }
  return number;
}

MetricPtr normal_form(const MetricPtr& metric) { return normal(metric, Decimal{1, 0}); }

}  // namespace tacit
