#include "metric/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "metric/lp_norm.hpp"

namespace tacit {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 0x1p-44;  // more than the operations below can round, at most 32 levels deep

// A ratio of two norms; as a fraction too where only products and comparisons of factors led to it and they fit.
struct Ratio {
  struct Fraction {
    Decimal over{1, 0};
    Decimal under{1, 0};
  };
  double value = 1.0;  // to a few roundings
  std::optional<Fraction> exact = Fraction{};
};

Ratio times(const Ratio& ratio, const Decimal& factor) {
  Ratio result{ratio.value * to_double(factor), std::nullopt};
  const auto over = ratio.exact ? multiply(ratio.exact->over, factor) : std::nullopt;
  if (over) result.exact = Ratio::Fraction{*over, ratio.exact->under};
  return result;
}

Ratio divided_by(const Ratio& ratio, const Decimal& factor) {
  Ratio result{ratio.value / to_double(factor), std::nullopt};
  const auto under = ratio.exact ? multiply(ratio.exact->under, factor) : std::nullopt;
  if (under) result.exact = Ratio::Fraction{ratio.exact->over, *under};
  return result;
}

Ratio larger(const Ratio& a, const Ratio& b) {
  const Ratio& by_value = a.value >= b.value ? a : b;
  if (!a.exact || !b.exact) return {by_value.value, std::nullopt};
  const auto left = multiply(a.exact->over, b.exact->under);
  const auto right = multiply(b.exact->over, a.exact->under);
  if (!left || !right) return {by_value.value, std::nullopt};
  return *left >= *right ? a : b;
}

std::optional<Ratio> ratio(const MetricNode& n, const MetricNode& m);

std::set<std::string> column_names(const MetricNode& metric) {
  std::set<std::string> names;
  for (const auto& column : columns_of(metric)) names.insert(column.column);
  return names;
}

bool overlap(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.contains(name); });
}

MetricNode norm_of(const NormExponent& exponent, std::vector<MetricPtr> parts) {
  if (parts.size() == 1) return *parts.front();
  return MetricNode{MetricNorm{exponent, std::move(parts)}};
}

// sup of ||(r_i y_i)||_P / ||(y_i)||_Q.
Ratio combined(const std::vector<Ratio>& ratios, const NormExponent& n, const NormExponent& m) {
  const double p = exponent_value(n);
  const double q = exponent_value(m);
  if (p >= q || ratios.size() == 1) return std::accumulate(ratios.begin() + 1, ratios.end(), ratios.front(), larger);
  std::vector<double> values;
  for (const auto& part : ratios) values.push_back(part.value);
  return {lp_norm(values, 1.0 / (1.0 / p - (std::isinf(q) ? 0.0 : 1.0 / q))), std::nullopt};
}

// The parts of `fine` that have columns in common with each part of `coarse`; empty where a part of `fine` has columns
// in two of them.
using Groups = std::vector<std::vector<MetricPtr>>;
std::optional<Groups> grouped(const std::vector<MetricPtr>& fine, const std::vector<MetricPtr>& coarse) {
  Groups groups(coarse.size());
  std::vector<std::set<std::string>> columns;
  for (const auto& part : coarse) columns.push_back(column_names(*part));
  for (const auto& part : fine) {
    const auto names = column_names(*part);
    std::vector<MetricPtr>* home = nullptr;
    for (std::size_t i = 0; i < coarse.size(); ++i) {
      if (!overlap(names, columns[i])) continue;
      if (home != nullptr) return std::nullopt;
      home = &groups[i];
    }
    if (home != nullptr) home->push_back(part);
  }
  return groups;
}

std::optional<Ratio> ratio_of_norms(const MetricNorm& n, const MetricNorm& m) {
  std::vector<Ratio> ratios;
  if (const auto groups = grouped(n.children, m.children)) {
    for (std::size_t i = 0; i < groups->size(); ++i) {
      if ((*groups)[i].empty()) continue;
      const auto part = ratio(norm_of(n.exponent, (*groups)[i]), *m.children[i]);
      if (!part) return std::nullopt;
      ratios.push_back(*part);
    }
    return combined(ratios, n.exponent, m.exponent);
  }
  const auto groups = grouped(m.children, n.children);
  if (!groups) return std::nullopt;
  for (std::size_t i = 0; i < groups->size(); ++i) {
    const auto part = ratio(*n.children[i], norm_of(m.exponent, (*groups)[i]));
    if (!part) return std::nullopt;
    ratios.push_back(*part);
  }
  return combined(ratios, n.exponent, m.exponent);
}

// Precondition: m sees every column of n.
std::optional<Ratio> ratio(const MetricNode& n, const MetricNode& m) {
  if (const auto* scale = std::get_if<MetricScale>(&n.node)) {
    const auto inner = ratio(*scale->child, m);
    return inner ? std::optional(times(*inner, scale->factor)) : inner;
  }
  if (const auto* scale = std::get_if<MetricScale>(&m.node)) {
    const auto inner = ratio(n, *scale->child);
    return inner ? std::optional(divided_by(*inner, scale->factor)) : inner;
  }
  const auto* n_norm = std::get_if<MetricNorm>(&n.node);
  const auto* m_norm = std::get_if<MetricNorm>(&m.node);
  if (n_norm != nullptr && n_norm->children.size() == 1) return ratio(*n_norm->children.front(), m);
  if (m_norm != nullptr && m_norm->children.size() == 1) return ratio(n, *m_norm->children.front());
  if (n_norm != nullptr && m_norm != nullptr) return ratio_of_norms(*n_norm, *m_norm);
  if (m_norm != nullptr) {  // n is a column: the other parts of m are 0 in the worst case
    const auto names = column_names(n);
    for (const auto& part : m_norm->children) {
      if (overlap(names, column_names(*part))) return ratio(n, *part);
    }
  }
  return n == m ? std::optional(Ratio{}) : std::nullopt;
}

bool is_written_out(const MetricNode& metric) { return !std::holds_alternative<ReadyMetric>(metric.node); }

bool sees_all(const MetricNode& m, const MetricNode& n) {
  const auto of_n = column_names(n);
  const auto of_m = column_names(m);
  return std::includes(of_m.begin(), of_m.end(), of_n.begin(), of_n.end());
}

}  // namespace

std::optional<double> largest_ratio(const MetricNode& n, const MetricNode& m) {
  if (!is_written_out(n) || !is_written_out(m)) return std::nullopt;
  if (!sees_all(m, n)) return infinity;
  const auto found = ratio(n, m);
  if (!found) return std::nullopt;
  return found->value * (1.0 + rounding);
}

std::optional<double> best_factor(const MetricNode& n, const MetricNode& m) {
  const auto largest = largest_ratio(n, m);
  if (!largest) return std::nullopt;
  return 1.0 / *largest * (1.0 - rounding);
}

bool is_at_most(const MetricNode& n, const MetricNode& m) {
  if (!is_written_out(n) || !is_written_out(m)) return n == m;
  const auto found = sees_all(m, n) ? ratio(n, m) : std::nullopt;
  if (!found) return false;
  if (found->exact) return found->exact->over <= found->exact->under;
  return found->value * (1.0 + rounding) <= 1.0;
}

}  // namespace tacit
