#include "metric/evaluate.hpp"

#include <cmath>

#include "base/check.hpp"
#include "metric/lp_norm.hpp"

namespace tacit {
namespace {

struct Evaluator {
  const std::map<std::string, double>& differences;

  double operator()(const MetricColumn& column) const {
    const auto found = differences.find(column.column);
    if (found == differences.end()) return 0.0;
    if (column.use == MetricColumn::Use::discrete) return found->second == 0.0 ? 0.0 : 1.0;
    return std::abs(found->second);
  }
  double operator()(const MetricScale& scale) const {
    return to_double(scale.factor) * std::visit(*this, scale.child->node);
  }
  double operator()(const MetricNorm& norm) const {
    std::vector<double> parts;
    for (const auto& child : norm.children) parts.push_back(std::visit(*this, child->node));
    return lp_norm(parts, exponent_value(norm.exponent));
  }
  double operator()(ReadyMetric) const { TACIT_CHECK(false, "a ready metric is written out before it is evaluated"); }
};

}  // namespace

double distance(const MetricNode& metric, const std::map<std::string, double>& differences) {
  return std::visit(Evaluator{differences}, metric.node);
}

}  // namespace tacit
