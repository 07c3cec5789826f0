#include "sensitivity/metric/derivative/norm_dual.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "base/check.hpp"
#include "base/work_limit.hpp"

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

namespace {

using BoundsByName = std::map<std::string_view, BoundPtr>;

BoundPtr dual_of_named(const MetricNode& metric, const BoundsByName& bounds) {
  count_work(1);
  if (const auto* leaf = std::get_if<MetricColumn>(&metric.node)) {
    const auto found = bounds.find(leaf->column);
    return found == bounds.end() ? constant_bound(0.0) : found->second;
  }
  if (const auto* scale = std::get_if<MetricScale>(&metric.node)) {
    // Nothing is lost by dividing and rounding up a little.
    return scaled((1.0 + 1e-14) / to_double(scale->factor), dual_of_named(*scale->child, bounds));
  }
  const auto* norm = std::get_if<MetricNorm>(&metric.node);
  TACIT_CHECK(norm, "ready metrics are written out before");
  std::vector<BoundPtr> parts;
  for (const auto& child : norm->children) parts.push_back(dual_of_named(*child, bounds));
  return combined(dual_exponent(norm->exponent), std::move(parts));
}

}  // namespace

BoundPtr dual_of_gradient(const MetricNode& metric, const Gradient& gradient, const std::vector<ColumnPtr>& columns) {
  BoundsByName bounds;
  for (const auto& column : columns) {
    if (const auto found = gradient.find(column.get()); found != gradient.end()) {
      bounds.try_emplace(column->name, found->second);
    }
  }
  return dual_of_named(metric, bounds);
}

}  // namespace tacit
