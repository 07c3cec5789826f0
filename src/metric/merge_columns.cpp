#include "metric/merge_columns.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "metric/lp_norm.hpp"
#include "metric/scale.hpp"

namespace tacit {
namespace {

struct Term {
  Decimal factor{1, 0};
  MetricPtr node;  // a column, or a norm of another exponent
};

bool repeats_a_column(const MetricNode& metric) {
  std::set<std::string> seen;
  for (const auto& column : columns_of(metric)) {
    if (!seen.insert(column.column).second) return true;
  }
  return false;
}

// The terms of a norm with that exponent: what is reached through factors, norms of the same exponent and norms of one
// part. False where a product of factors does not fit.
bool collect(const MetricPtr& node, const NormExponent& exponent, const Decimal& factor, std::vector<Term>& terms) {
  if (const auto* scaled = std::get_if<MetricScale>(&node->node)) {
    const auto product = multiply(factor, scaled->factor);
    return product && collect(scaled->child, exponent, *product, terms);
  }
  const auto* norm = std::get_if<MetricNorm>(&node->node);
  if (norm == nullptr || (norm->exponent != exponent && norm->children.size() > 1)) {
    terms.push_back({factor, node});
    return true;
  }
  return std::all_of(norm->children.begin(), norm->children.end(),
                     [&](const MetricPtr& child) { return collect(child, exponent, factor, terms); });
}

std::optional<Decimal> to_the_power(const Decimal& base, int exponent) {
  std::optional<Decimal> result = Decimal{1, 0};
  for (int i = 0; i < exponent && result; ++i) result = multiply(*result, base);
  return result;
}

// Whether c^p <= a^p + b^p is proved: exactly where the powers fit, else with room for rounding.
bool is_below_root(const Decimal& c, const Decimal& a, const Decimal& b, const NormExponent& exponent) {
  constexpr int largest_exact_power = 16;
  for (int p = 1; p <= largest_exact_power; ++p) {
    if (exponent.p != Decimal{p, 0}) continue;
    const auto left = to_the_power(c, p);
    const auto first = to_the_power(a, p);
    const auto second = to_the_power(b, p);
    const auto sum = first && second ? add(*first, *second) : std::nullopt;
    if (left && sum) return *left <= *sum;
  }
  return to_double(c) <= lp_norm({to_double(a), to_double(b)}, to_double(exponent.p)) * (1.0 - 0x1p-48);
}

Decimal without_trailing_zeros(Decimal value) {
  while (value.scale > 0 && value.units % 10 == 0) value = {value.units / 10, value.scale - 1};
  return value;
}

// (a^p + b^p)^{1/p} to 15 digits, rounded down.
std::optional<Decimal> root_of_sum(const Decimal& a, const Decimal& b, const NormExponent& exponent) {
  const double root = lp_norm({to_double(a), to_double(b)}, to_double(exponent.p));
  const int scale = std::clamp(14 - static_cast<int>(std::floor(std::log10(root))), 0, 38);
  const double units = std::round(root * std::pow(10.0, scale));
  if (!(units >= 1.0 && units < 1e17)) return std::nullopt;
  for (auto candidate = static_cast<long long>(units); candidate > static_cast<long long>(units) - 100; --candidate) {
    const Decimal c = without_trailing_zeros({candidate, scale});
    if (candidate > 0 && is_below_root(c, a, b, exponent)) return c;
  }
  return std::nullopt;
}

std::optional<Decimal> merged_factor(const Decimal& a, const Decimal& b, const NormExponent& exponent) {
  if (exponent.infinite) return std::max(a, b);
  if (exponent.p == Decimal{1, 0}) return add(a, b);
  return root_of_sum(a, b, exponent);
}

// The terms with equal columns joined. False where that cannot be written.
bool join_equal_columns(std::vector<Term>& terms, const NormExponent& exponent) {
  std::vector<Term> joined;
  std::map<std::pair<std::string, MetricColumn::Use>, std::size_t> places;
  for (const auto& term : terms) {
    const auto* column = std::get_if<MetricColumn>(&term.node->node);
    const bool is_first =
        column == nullptr || places.emplace(std::pair(column->column, column->use), joined.size()).second;
    if (is_first) {
      joined.push_back(term);
      continue;
    }
    Term& same = joined[places.at({column->column, column->use})];
    const auto factor = merged_factor(same.factor, term.factor, exponent);
    if (!factor) return false;
    same.factor = *factor;
  }
  terms = std::move(joined);
  return true;
}

MetricPtr merge_norm(const MetricPtr& metric, const MetricNorm& norm) {
  std::vector<Term> terms;
  if (!collect(metric, norm.exponent, Decimal{1, 0}, terms) || !join_equal_columns(terms, norm.exponent))
    return nullptr;
  MetricNorm result{norm.exponent, {}};
  for (const auto& term : terms) {
    const MetricPtr child = merge_columns(term.node);
    if (child == nullptr) return nullptr;
    result.children.push_back(scale(child, term.factor));
  }
  return std::make_shared<const MetricNode>(MetricNode{std::move(result)});
}

}  // namespace

MetricPtr merge_columns(const MetricPtr& metric) {
  if (!repeats_a_column(*metric)) return metric;
  MetricPtr merged;
  if (const auto* scaled = std::get_if<MetricScale>(&metric->node)) {
    merged = merge_columns(scaled->child);
    if (merged != nullptr) merged = scale(merged, scaled->factor);
  } else if (const auto* norm = std::get_if<MetricNorm>(&metric->node)) {
    merged = merge_norm(metric, *norm);
  }
  if (merged == nullptr || repeats_a_column(*merged)) return nullptr;
  return merged;
}

}  // namespace tacit
