#include "mechanism/users/over_all.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanism/users/gaussian.hpp"
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
  if (steps < fine_enough) {
    bound.per_step = spread_shares;
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

Int128 search_penalty(const UserAggregate& aggregate, double octaves, Epsilon epsilon, std::size_t numbers) {
  // Empty bins above the data are chosen with a chance that falls as T to this power.
  const double power = std::min(4.0 * std::pow(static_cast<double>(numbers), 1.0 / 6.0), 8.0);
  const double unit = aggregate.row_scale ? static_cast<double>(*aggregate.row_scale) : 1.0;
  const double above = octaves - std::log2(std::max(unit, 1.0));
  constexpr double largest = 1e30;
  return static_cast<Int128>(
      std::min(std::round(power * std::max(above, 0.0) * std::numbers::ln2 / epsilon.value()), largest));
}

Int128 enough_beyond(std::size_t numbers, Epsilon noise_epsilon) {
  constexpr double largest = 1e30;
  return static_cast<Int128>(std::min(std::round(static_cast<double>(numbers) / noise_epsilon.value()), largest));
}

double spread_octaves(int bin) { return static_cast<double>(bin - 1) / spread_bins_per_octave; }

double euclidean_octaves(double deviation, Epsilon epsilon) {
  return std::log2(deviation * epsilon.value() * std::sqrt(2.0 / std::numbers::pi));
}

double euclidean_deviation(Epsilon epsilon, Delta delta) {
  constexpr double rounding = 1.0 + 0x1p-20;
  return gaussian_deviation_up(epsilon, delta) * rounding;
}

bool may_be_euclidean(double deviation, Epsilon epsilon, std::size_t groups) {
  constexpr double worth_it = 0.5;  // octaves
  return euclidean_octaves(deviation, epsilon) + worth_it <= 0.5 * std::log2(static_cast<double>(groups));
}

TriedLengths try_lengths(const UsersAnalysis& users, const UsersPlan& laplace, Delta delta, bool others) {
  TriedLengths tried{{}, Delta(0.0), delta};
  if (users.private_keys || users.leftovers || !users.several_groups || !(delta.value() > 0.0)) return tried;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < users.aggregates.size(); ++i) {
    const UserAggregate& aggregate = users.aggregates[i];
    if (aggregate.over_all && !aggregate.most_over_all) found.push_back(i);
  }
  if (found.empty()) return tried;
  constexpr double rounding = 1.0 - 0x1p-50;
  const double all = others ? delta.value() / 2.0 : delta.value();
  const Delta each(all / static_cast<double>(found.size()) * rounding);
  if (!(each.value() > 0.0)) return tried;
  for (const std::size_t i : found) {
    const Epsilon epsilon = laplace.aggregates[i].noise.epsilon;
    if (may_be_euclidean(euclidean_deviation(epsilon, each), epsilon, users.reachable_groups)) {
      tried.aggregates.push_back(i);
    }
  }
  if (tried.aggregates.empty()) return tried;
  tried.each = each;
  tried.rest = Delta(delta.value() - all);
  return tried;
}

OverAllBound euclidean_bound(int bin) {
  constexpr Int128 shares = spread_shares;
  const double length = std::exp2(spread_octaves(bin)) * (1.0 + 0x1p-20);
  OverAllBound bound;
  bound.bin = bin;
  bound.euclidean = true;
  if (length < 0x1p32) {
    // A share of T is a whole number of units.
    bound.per_step = shares * shares;
    bound.most = static_cast<Int128>(std::ceil(length * spread_shares)) * shares;
  } else {
    bound.most = (static_cast<Int128>(std::ceil(length)) + shares - 1) / shares * shares;
  }
  return bound;
}

OverAllBound over_all_bound(int bin) { return with_bound(spread_edge(bin), bin); }

OverAllBound stated_over_all(Int128 most) {
  // The engine compares a sum of doubles, which is exact below 2^53.
  const Int128 allowance = most < (Int128{1} << 50) ? 0 : most >> 20;
  return with_bound(std::max(most + allowance, Int128{1}), 1);
}

}  // namespace tacit
