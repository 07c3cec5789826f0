#include "noise/users/find_over_all.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "mechanism/interval_coverage.hpp"
#include "noise/sampling/geometric_sampler.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

const Bins& bins_of(const UserGroup& group, std::size_t index, bool euclidean) {
  return euclidean ? group.lengths[index] : group.bins[index];
}

std::vector<Int128> users_by_spread(const UsersAnalysis& users, std::size_t index, const std::vector<UserGroup>& groups,
                                    bool euclidean) {
  std::vector<Int128> counts(static_cast<std::size_t>(spread_bin_count(users.aggregates[index], users.several_groups)),
                             0);
  const int last = static_cast<int>(counts.size()) - 1;
  for (const UserGroup& group : groups) {
    for (const BinCells& bin : bins_of(group, index, euclidean)) {
      counts[static_cast<std::size_t>(std::clamp(bin.bin, 0, last))] += bin.users;
    }
  }
  return counts;
}

// The bin with the largest noisy score of all that it was shown.
class BestBin {
 public:
  BestBin(const UserAggregate& aggregate, const UserAggregatePlan& plan, std::size_t numbers)
      : aggregate_(aggregate),
        epsilon_(plan.bounds_epsilon),
        numbers_(numbers),
        enough_(enough_beyond(numbers, plan.noise.epsilon)),
        noise_(plan.bounds_epsilon, 1) {}

  // `more_octaves`: how much more noise a bin of this family brings.
  void look_at(const std::vector<Int128>& counts, double more_octaves, bool euclidean, RandomWords& words) {
    Int128 beyond = std::accumulate(counts.begin() + 1, counts.end(), Int128{0});
    const int last = static_cast<int>(counts.size()) - 1;
    for (int bin = 1; bin <= (euclidean ? std::min(last, last_length_bin) : last); ++bin) {
      beyond -= counts[static_cast<std::size_t>(bin)];
      const Int128 score = as_score(noise_.draw_one_sided(words)) - std::max(beyond, enough_) -
                           search_penalty(aggregate_, spread_octaves(bin) + more_octaves, epsilon_, numbers_);
      if (best_ && score <= *best_) continue;
      best_ = score;
      bin_ = bin;
      euclidean_ = euclidean;
    }
  }

  OverAllBound bound() const { return euclidean_ ? euclidean_bound(bin_) : over_all_bound(bin_); }

 private:
  // Far above every score.
  static Int128 as_score(UInt128 noise) {
    constexpr UInt128 most = UInt128{1} << 120;
    return static_cast<Int128>(std::min(noise, most));
  }

  const UserAggregate& aggregate_;
  Epsilon epsilon_;
  std::size_t numbers_;
  Int128 enough_;
  GeometricSampler noise_;
  std::optional<Int128> best_;
  int bin_ = 1;
  bool euclidean_ = false;
};

}  // namespace

OverAllBound find_over_all(const UsersAnalysis& users, std::size_t index, const UserAggregatePlan& plan,
                           const std::vector<UserGroup>& groups, RandomWords& words) {
  const UserAggregate& aggregate = users.aggregates[index];
  if (aggregate.most_over_all) return stated_over_all(*aggregate.most_over_all);
  // Private keys: how many groups there are is not known.
  BestBin best(aggregate, plan, users.private_keys ? 1 : std::max<std::size_t>(groups.size(), 1));
  best.look_at(users_by_spread(users, index, groups, false), 0.0, false, words);
  if (plan.euclidean_deviation > 0.0) {
    best.look_at(users_by_spread(users, index, groups, true),
                 euclidean_octaves(plan.euclidean_deviation, plan.noise.epsilon), true, words);
  }
  return best.bound();
}

UserNoise euclidean_noise(const UserAggregatePlan& plan) {
  return {NoiseLaw::gaussian, plan.noise.epsilon, plan.euclidean_deviation};
}

Int128 users_beyond(std::size_t index, const UserAggregatePlan& plan, const std::vector<UserGroup>& groups,
                    const OverAllBound& bound, RandomWords& words) {
  const auto noise = user_noise({NoiseLaw::geometric, plan.beyond_epsilon, 0.0}, 1, 1, 1);
  Int128 users = 0;
  for (const UserGroup& group : groups) {
    for (const BinCells& bin : bins_of(group, index, bound.euclidean)) {
      if (bin.bin > bound.bin) users += bin.users;
    }
  }
  // One side of the noise has half of what lies outside the width.
  return std::max<Int128>(noise->add_to(users, words) + noise->half_width(interval_coverage), 0);
}

}  // namespace tacit
