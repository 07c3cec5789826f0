#include "soundness/metric/distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit::soundness::metric {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool same(const Cell& a, const Cell& b) {
  if (a && b && std::holds_alternative<double>(*a)) {
    const double x = std::get<double>(*a);
    const double y = std::get<double>(*b);
    return x == y || (std::isnan(x) && std::isnan(y));
  }
  return a == b;
}

// x - y, subtracted before it is rounded to a double.
double subtract(Kind kind, const Datum& x, const Datum& y) {
  if (kind == Kind::real) return std::get<double>(x) - std::get<double>(y);
  return number_of(kind, Datum(std::get<long long>(x) - std::get<long long>(y)));
}

double moved(const Column& column, const Cell& a, const Cell& b) {
  if (same(a, b)) return 0.0;
  if (column.use == Column::Use::discrete) return 1.0;
  if (!a || !b) return infinite;
  const double y = number_of(column.kind, *b);
  const double difference = subtract(column.kind, *a, *b);
  if (!std::isfinite(difference)) return infinite;
  if (column.use == Column::Use::logarithm) return std::abs(std::log1p(difference / y));
  return std::abs(difference);
}

double moved(const Metric& metric, const Table& table, const Row& a, const Row& b) {
  if (metric.children.empty())
    return metric.factor * moved(table.columns[metric.column], a[metric.column], b[metric.column]);
  std::vector<double> parts;
  for (const auto& child : metric.children) parts.push_back(moved(child, table, a, b));
  return metric.factor * norm(metric.exponent, parts);
}

double moved(const Table& table, const Row& a, const Row& b) {
  bool equal = true;
  for (std::size_t c = 0; c < a.size(); ++c) {
    if (same(a[c], b[c])) continue;
    equal = false;
    if (!table.columns[c].is_private()) return infinite;
  }
  if (equal) return 0.0;
  return is_sensitive(table, a) ? moved(table.metric, table, a, b) : infinite;
}

}  // namespace

double norm(double exponent, const std::vector<double>& values) {
  const double largest = values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
  if (std::isinf(exponent) || largest == 0.0 || std::isinf(largest)) return largest;
  double sum = 0.0;
  for (const double value : values) sum += std::pow(value / largest, exponent);
  return largest * std::pow(sum, 1.0 / exponent);
}

double distance(const World& world, const Data& a, const Data& b) {
  std::vector<double> tables;
  for (std::size_t t = 0; t < a.size(); ++t) {
    if (a[t].size() != b[t].size()) return infinite;
    std::vector<double> rows;
    for (std::size_t r = 0; r < a[t].size(); ++r) rows.push_back(moved(world.tables[t], a[t][r], b[t][r]));
    tables.push_back(norm(world.tables[t].rows_exponent, rows));
  }
  return norm(world.tables_exponent, tables);
}

}  // namespace tacit::soundness::metric
