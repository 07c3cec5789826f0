#include "sensitivity/derivative/norm_dual.hpp"

#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace tacit {

bool is_l1(const NormExponent& exponent) { return !exponent.infinite && exponent.p == Decimal{1, 0}; }

double dual_exponent(const NormExponent& exponent) {
  if (exponent.infinite) return 1.0;
  const double p = to_double(exponent.p);
  return p == 1.0 ? std::numeric_limits<double>::infinity() : p / (p - 1.0);
}

BoundPtr combined(double q, std::vector<BoundPtr> parts) {
  if (std::isinf(q)) return max_of(std::move(parts));
  if (q == 1.0) return sum_of(std::move(parts));
  return root_of(q, std::move(parts));
}

BoundPtr dual_of_gradient(const MetricNode& metric, const Gradient& gradient, const std::vector<ColumnPtr>& columns) {
  if (const auto* leaf = std::get_if<MetricColumn>(&metric.node)) {
    for (const auto& column : columns) {
      if (column->name != leaf->column) continue;
      const auto found = gradient.find(column.get());
      if (found != gradient.end()) return found->second;
    }
    return constant_bound(0.0);
  }
  if (const auto* scale = std::get_if<MetricScale>(&metric.node)) {
    // Nothing is lost by dividing and rounding up a little.
    return scaled((1.0 + 1e-14) / to_double(scale->factor), dual_of_gradient(*scale->child, gradient, columns));
  }
  const auto* norm = std::get_if<MetricNorm>(&metric.node);
  TACIT_CHECK(norm, "ready metrics are written out before");
  std::vector<BoundPtr> parts;
  for (const auto& child : norm->children) parts.push_back(dual_of_gradient(*child, gradient, columns));
  return combined(dual_exponent(norm->exponent), std::move(parts));
}

}  // namespace tacit
