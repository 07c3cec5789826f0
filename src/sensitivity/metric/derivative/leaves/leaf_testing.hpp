#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "sensitivity/metric/derivative/leaves/leaf.hpp"

namespace tacit::testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// A leaf and what it has to bound.
struct LeafCase {
  std::string name;
  LeafPtr leaf;
  std::function<long double(long double)> exact;  // the function itself, computed without the leaf
  double rate;                                    // what the leaf may use
  std::vector<double> marks;                      // kinks, zeros, ends
  double scale = 1.0;                             // how far around the marks it changes
  double lo = -1e100;                             // where the statistic may be
  double hi = 1e100;
};

inline std::vector<double> probe_points(const LeafCase& leaf_case, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> offset(-60.0, 60.0), exponent(-12.0, 7.0);
  std::vector<double> points = {0.0, 5e-324, -5e-324, 1e-310, 1e-300, -1e-300, 1e-100,
                                1.0, -1.0,   1e6,     -1e6,   1e100,  -1e100};
  for (const double mark : leaf_case.marks) {
    for (const double s : {mark, std::nextafter(mark, -1e308), std::nextafter(mark, 1e308)}) points.push_back(s);
    for (int i = 0; i < 60; ++i) {
      points.push_back(mark + offset(random) * leaf_case.scale);
      points.push_back(mark + offset(random) / 20.0 * leaf_case.scale);
      const double step = std::pow(10.0, exponent(random)) * leaf_case.scale;
      points.push_back(mark + (i % 2 == 0 ? step : -step));
    }
  }
  std::erase_if(points, [&](double s) { return s < leaf_case.lo || s > leaf_case.hi; });
  std::sort(points.begin(), points.end());
  return points;
}

// at(s) >= exact(s), between infimum and supremum, and |ln at(s) - ln at(s')| <= rate |s - s'| for neighbouring and for
// far points, up to the stated rounding (a share of 2^-39).
inline void expect_sound(const LeafCase& leaf_case, unsigned seed) {
  SCOPED_TRACE(leaf_case.name);
  const Leaf& leaf = *leaf_case.leaf;
  const auto points = probe_points(leaf_case, seed);
  std::vector<long double> logs;
  for (const double s : points) {
    const double at = leaf.at(s);
    ASSERT_TRUE(std::isfinite(at) && at > 0.0) << "s = " << s << ", at = " << at;
    ASSERT_GE(static_cast<long double>(at), leaf_case.exact(s) * (1.0L - 0x1p-60L)) << "s = " << s;
    ASSERT_GE(at, leaf.infimum()) << "s = " << s;
    ASSERT_LE(at, leaf.supremum() * (1.0 + 0x1p-39)) << "s = " << s;
    logs.push_back(std::log(static_cast<long double>(at)));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const std::size_t j : {i + 1, i + 7, points.size() - 1 - i}) {
      if (j >= points.size()) continue;
      const long double distance = std::abs(static_cast<long double>(points[i]) - points[j]);
      ASSERT_LE(std::abs(logs[i] - logs[j]), leaf_case.rate * distance * (1.0L + 1e-15L) + 0x1p-38L)
          << "between " << points[i] << " and " << points[j];
    }
  }
}

// The leaf is the smallest such bound: sup over s' of exact(s') e^{-rate |s - s'|}, found by trying. Only for points
// where no limit (floor, cap) acts.
inline void expect_smallest(const LeafCase& leaf_case, unsigned seed, double tolerance = 1e-3) {
  SCOPED_TRACE(leaf_case.name);
  std::vector<double> tries = probe_points(leaf_case, seed);
  for (const double mark : leaf_case.marks) {
    for (int i = -800; i <= 800; ++i) tries.push_back(mark + i * leaf_case.scale / 100.0);
  }
  std::erase_if(tries, [&](double s) { return s < leaf_case.lo || s > leaf_case.hi; });
  for (const double s : probe_points(leaf_case, seed + 1)) {
    if (std::abs(s) > 8.0 * leaf_case.scale + std::abs(leaf_case.marks.front())) continue;
    long double smallest = leaf_case.exact(s);
    for (const double other : tries) {
      const long double distance = std::abs(static_cast<long double>(s) - other);
      smallest = std::max(smallest, leaf_case.exact(other) * std::exp(-leaf_case.rate * distance));
    }
    ASSERT_LE(leaf_case.leaf->at(s), smallest * (1.0 + tolerance)) << "s = " << s;
  }
}

}  // namespace tacit::testing
