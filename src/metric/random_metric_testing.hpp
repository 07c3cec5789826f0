#pragma once

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "metric/metric.hpp"

namespace tacit::testing {

// A random metric over columns c0, c1, ..., each named once; `columns` counts them.
inline MetricPtr random_metric(std::mt19937_64& random, int depth, int& columns) {
  const auto make = [](auto node) { return std::make_shared<const MetricNode>(MetricNode{std::move(node)}); };
  const auto shape = depth == 0 ? 0 : random() % 8;
  if (shape == 0) return make(MetricColumn{fmt::format("c{}", columns++)});
  if (shape <= 2) {
    const Decimal factor{static_cast<long long>(1 + random() % 5000), static_cast<int>(random() % 4)};
    return make(MetricScale{factor, random_metric(random, depth - 1, columns)});
  }
  MetricNorm norm;
  const auto exponent = random() % 4;
  norm.exponent.infinite = exponent == 0;
  if (exponent == 1) norm.exponent.p = Decimal{2, 0};
  if (exponent == 2) norm.exponent.p = Decimal{static_cast<long long>(101 + random() % 800), 2};
  const auto parts = 1 + random() % 4;
  for (std::size_t i = 0; i < parts; ++i) norm.children.push_back(random_metric(random, depth - 1, columns));
  return make(std::move(norm));
}

// Values for c0, c1, ...: some 0, signs and sizes mixed.
inline std::map<std::string, double> random_vector(std::mt19937_64& random, int columns) {
  std::normal_distribution<double> normal;
  std::map<std::string, double> vector;
  for (int i = 0; i < columns; ++i) {
    const double size = random() % 4 == 0 ? 0.0 : std::pow(10.0, normal(random));
    vector[fmt::format("c{}", i)] = random() % 2 == 0 ? size : -size;
  }
  return vector;
}

inline MetricPtr metric(std::string_view text) { return parse_metric(text).value(); }

}  // namespace tacit::testing
