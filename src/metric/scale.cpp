#include "metric/scale.hpp"

#include "base/check.hpp"

namespace tacit {

MetricPtr scale(const MetricPtr& metric, const Decimal& factor) {
  TACIT_CHECK((factor > Decimal{0, 0}), "a metric is scaled by a positive factor");
  if (factor == Decimal{1, 0}) return metric;
  if (const auto* scaled = std::get_if<MetricScale>(&metric->node)) {
    if (const auto product = multiply(factor, scaled->factor)) return scale(scaled->child, *product);
  }
  return std::make_shared<const MetricNode>(MetricNode{MetricScale{factor, metric}});
}

}  // namespace tacit
