#include "metric/dual.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "base/check.hpp"
#include "metric/lp_norm.hpp"

namespace tacit {
namespace {

// More than a few operations on doubles can round down, whatever the nesting (at most 32 levels).
constexpr double rounding = 0x1p-44;

struct DualEvaluator {
  const std::map<std::string, double>& weights;

  double operator()(const MetricColumn& column) const {
    const auto found = weights.find(column.column);
    return found == weights.end() ? 0.0 : found->second;
  }
  double operator()(const MetricScale& scale) const {
    return std::visit(*this, scale.child->node) / to_double(scale.factor);
  }
  double operator()(const MetricNorm& norm) const {
    std::vector<double> parts;
    for (const auto& child : norm.children) parts.push_back(std::visit(*this, child->node));
    return lp_norm(parts, dual_exponent(exponent_value(norm.exponent)));
  }
  double operator()(ReadyMetric) const { TACIT_CHECK(false, "a ready metric is written out before its dual is taken"); }
};

}  // namespace

double dual_norm(const MetricNode& metric, const std::map<std::string, double>& weights) {
  std::set<std::string> columns;
  for (const auto& column : columns_of(metric)) {
    TACIT_CHECK(columns.insert(column.column).second, "a metric names every column once where its dual is taken");
  }
  for (const auto& [column, weight] : weights) {
    TACIT_CHECK(weight >= 0.0, "the weights of a dual norm are at least 0");
    if (weight > 0.0 && !columns.contains(column)) return std::numeric_limits<double>::infinity();
  }
  return std::visit(DualEvaluator{weights}, metric.node) * (1.0 + rounding);
}

}  // namespace tacit
