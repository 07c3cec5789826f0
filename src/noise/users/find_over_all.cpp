#include "noise/users/find_over_all.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "mechanism/interval_coverage.hpp"
#include "noise/sampling/geometric_sampler.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

std::vector<Int128> users_by_spread(const UsersAnalysis& users, std::size_t index,
                                    const std::vector<UserGroup>& groups) {
  std::vector<Int128> counts(
      static_cast<std::size_t>(spread_bin_count(users.aggregates[index], users.several_groups)), 0);
  const int last = static_cast<int>(counts.size()) - 1;
  for (const UserGroup& group : groups) {
    for (const BinCells& bin : group.bins[index]) {
      counts[static_cast<std::size_t>(std::clamp(bin.bin, 0, last))] += bin.users;
    }
  }
  return counts;
}

// Far above every score.
Int128 as_score(UInt128 noise) {
  constexpr UInt128 most = UInt128{1} << 120;
  return static_cast<Int128>(std::min(noise, most));
}

}  // namespace

OverAllBound find_over_all(const UsersAnalysis& users, std::size_t index, const UserAggregatePlan& plan,
                           const std::vector<UserGroup>& groups, RandomWords& words) {
  const UserAggregate& aggregate = users.aggregates[index];
  if (aggregate.most_over_all) return stated_over_all(*aggregate.most_over_all);
  const std::vector<Int128> counts = users_by_spread(users, index, groups);
  // Private keys: how many groups there are is not known.
  const std::size_t numbers = users.private_keys ? 1 : std::max<std::size_t>(groups.size(), 1);
  const Int128 enough = enough_beyond(numbers, plan.noise.epsilon);
  const GeometricSampler noise(plan.bounds_epsilon, 1);
  int chosen = 1;
  std::optional<Int128> best;
  Int128 beyond = std::accumulate(counts.begin() + 1, counts.end(), Int128{0});
  for (int bin = 1; bin < static_cast<int>(counts.size()); ++bin) {
    beyond -= counts[static_cast<std::size_t>(bin)];
    const Int128 score = as_score(noise.draw_one_sided(words)) - std::max(beyond, enough) -
                         search_penalty(aggregate, bin, plan.bounds_epsilon, numbers);
    if (!best || score > *best) {
      best = score;
      chosen = bin;
    }
  }
  return over_all_bound(chosen);
}

Int128 users_beyond(std::size_t index, const UserAggregatePlan& plan, const std::vector<UserGroup>& groups,
                    const OverAllBound& bound, RandomWords& words) {
  const auto noise = user_noise({NoiseLaw::geometric, plan.beyond_epsilon, 0.0}, 1, 1, 1);
  Int128 users = 0;
  for (const UserGroup& group : groups) {
    for (const BinCells& bin : group.bins[index]) {
      if (bin.bin > bound.bin) users += bin.users;
    }
  }
  // One side of the noise has half of what lies outside the width.
  return std::max<Int128>(noise->add_to(users, words) + noise->half_width(interval_coverage), 0);
}

}  // namespace tacit
