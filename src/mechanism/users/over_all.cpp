#include "mechanism/users/over_all.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sensitivity/users/users_cells.hpp"

namespace tacit {
namespace {

constexpr int octaves_of_groups = 10;  // a user may say this many times more in all groups than in one
constexpr int last_bin = 1 + spread_bins_per_octave * 61;

Int128 largest_value(const UserValue& value) {
  return std::max({value.least < 0 ? -value.least : value.least, value.most, Int128{1}});
}

// T in units that make every share of it a whole number (over_all.md).
OverAllBound with_bound(Int128 steps, int bin) {
  constexpr Int128 fine_enough = Int128{1} << 32;
  OverAllBound bound;
  bound.bin = bin;
  bound.refined = steps < fine_enough;
  if (bound.refined) {
    bound.most = std::max(steps, Int128{1}) * spread_shares;
  } else {
    bound.most = (steps + spread_shares - 1) / spread_shares * spread_shares;
  }
  return bound;
}

}  // namespace

int spread_bin_count(const UserAggregate& aggregate, bool several_groups) {
  const int own = spread_bin(largest_value(aggregate.value));
  return 1 + std::min(own + (several_groups ? spread_bins_per_octave * octaves_of_groups : 0), last_bin);
}

double search_share(std::size_t numbers) {
  return std::max(3.0 / 16.0 * std::pow(static_cast<double>(numbers), -0.2), 1.0 / 16.0);
}

Int128 search_penalty(const UserAggregate& aggregate, int bin, Epsilon epsilon, std::size_t numbers) {
  // Empty bins above the data are chosen with a chance that falls as T to this power.
  const double power = std::min(4.0 * std::pow(static_cast<double>(numbers), 1.0 / 6.0), 8.0);
  const double unit = aggregate.row_scale ? static_cast<double>(*aggregate.row_scale) : 1.0;
  const double octaves = static_cast<double>(bin - 1) / spread_bins_per_octave - std::log2(std::max(unit, 1.0));
  constexpr double largest = 1e30;
  return static_cast<Int128>(
      std::min(std::round(power * std::max(octaves, 0.0) * std::numbers::ln2 / epsilon.value()), largest));
}

Int128 enough_beyond(std::size_t numbers, Epsilon noise_epsilon) {
  constexpr double largest = 1e30;
  return static_cast<Int128>(std::min(std::round(static_cast<double>(numbers) / noise_epsilon.value()), largest));
}

OverAllBound over_all_bound(int bin) { return with_bound(spread_edge(bin), bin); }

OverAllBound stated_over_all(Int128 most) {
  // The engine compares a sum of doubles, which is exact below 2^53.
  const Int128 allowance = most < (Int128{1} << 50) ? 0 : most >> 20;
  return with_bound(std::max(most + allowance, Int128{1}), 1);
}

}  // namespace tacit
