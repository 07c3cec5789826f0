#pragma once

// For the tests of samplers.
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <functional>
#include <vector>

namespace tacit {

// P(X <= k) of the noise X, exact up to double rounding.
using Distribution = std::function<double(double k)>;

// p-value of the draws against the distribution, over cells (edges[i-1], edges[i]] with open ends; cells expecting
// fewer than 10 draws join their right neighbour.
inline double chi_square_p_value(const std::vector<double>& draws, const Distribution& distribution,
                                 const std::vector<double>& edges) {
  const auto total = static_cast<double>(draws.size());
  std::vector<double> observed(edges.size() + 1, 0.0);
  for (const double x : draws) {
    const auto cell = std::lower_bound(edges.begin(), edges.end(), x) - edges.begin();
    observed[static_cast<std::size_t>(cell)] += 1.0;
  }
  double statistic = 0.0;
  double expected_sum = 0.0;
  double observed_sum = 0.0;
  double below = 0.0;
  int cells = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double up_to = i < edges.size() ? distribution(edges[i]) : 1.0;
    expected_sum += (up_to - below) * total;
    observed_sum += observed[i];
    below = up_to;
    const double left = (1.0 - up_to) * total;
    if (expected_sum < 10.0 || (left < 10.0 && i + 1 < observed.size())) continue;
    statistic += (observed_sum - expected_sum) * (observed_sum - expected_sum) / expected_sum;
    expected_sum = observed_sum = 0.0;
    ++cells;
  }
  if (cells < 2) return observed_sum == 0.0 ? 1.0 : 0.0;
  return boost::math::gamma_q((cells - 1) / 2.0, statistic / 2.0);
}

// Every integer within a few scales when those are few, else cells of equal width; the tails are the last cells.
inline std::vector<double> edges_for(double scale) {
  const double reach = std::ceil(12.0 * scale) + 2.0;
  const double width = std::max(1.0, std::floor(reach / 60.0));
  std::vector<double> edges;
  for (double edge = -reach; edge <= reach; edge += width) edges.push_back(std::floor(edge));
  return edges;
}

}  // namespace tacit
