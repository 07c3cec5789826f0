#include "metric/divide_rate.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/work_limit.hpp"

namespace tacit {
namespace {

// More than the operations here and in dual_norm can round up, whatever the nesting (at most 32 levels).
constexpr double rounding = 0x1p-43;

class RateDivider {
 public:
  RateDivider(const std::map<std::string, int>& factors, std::map<std::string, double>& rates)
      : factors_(factors), rates_(rates) {}

  void divide(const MetricNode& metric, double budget) const {
    count_work();
    std::visit([this, budget](const auto& node) { this->share(node, budget); }, metric.node);
  }

 private:
  void share(const MetricColumn& column, double budget) const {
    const auto factors = factors_.find(column.column);
    if (factors == factors_.end()) return;
    TACIT_CHECK(factors->second >= 1, "a column that is read has a factor");
    const bool first = rates_.emplace(column.column, budget / factors->second * (1.0 - rounding)).second;
    TACIT_CHECK(first, "a metric names every column once");
  }
  void share(const MetricScale& scale, double budget) const { divide(*scale.child, budget * to_double(scale.factor)); }
  void share(const MetricNorm& norm, double budget) const {
    const auto used = std::count_if(norm.children.begin(), norm.children.end(),
                                    [&](const MetricPtr& child) { return reads(*child); });
    if (used == 0) return;
    const double part = budget / dual_norm_of_ones(norm.exponent, static_cast<double>(used));
    for (const auto& child : norm.children) divide(*child, part);
  }
  static void share(ReadyMetric, double) { TACIT_CHECK(false, "a ready metric is written out before it is divided"); }

  // k^(1/q), 1/q = 1 - 1/p.
  static double dual_norm_of_ones(const NormExponent& exponent, double k) {
    if (exponent.infinite) return k;
    return std::pow(k, 1.0 - 1.0 / to_double(exponent.p));
  }

  bool reads(const MetricNode& metric) const {
    count_work();
    if (const auto* column = std::get_if<MetricColumn>(&metric.node)) return factors_.contains(column->column);
    if (const auto* scale = std::get_if<MetricScale>(&metric.node)) return reads(*scale->child);
    const auto* norm = std::get_if<MetricNorm>(&metric.node);
    return norm != nullptr && std::any_of(norm->children.begin(), norm->children.end(),
                                          [&](const MetricPtr& child) { return reads(*child); });
  }

  const std::map<std::string, int>& factors_;
  std::map<std::string, double>& rates_;
};

}  // namespace

std::map<std::string, double> divide_rate(const MetricNode& metric,
                                          const std::map<std::string, int>& factors_per_column, double beta) {
  TACIT_CHECK(std::isfinite(beta) && beta >= 0.0, "the smoothness to divide is a finite number of at least 0");
  std::map<std::string, double> rates;
  RateDivider(factors_per_column, rates).divide(metric, beta);
  TACIT_CHECK(rates.size() == factors_per_column.size(), "every column that is read occurs in the metric");
  return rates;
}

}  // namespace tacit
