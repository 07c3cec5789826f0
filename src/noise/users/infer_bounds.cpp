#include "noise/users/infer_bounds.hpp"

#include <algorithm>
#include <optional>

#include "base/check.hpp"
#include "mechanism/users/magnitude_histogram.hpp"
#include "noise/users/clamped_sums.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

// Values in bins beyond the range (a rounding of the engine) count in its ends.
std::vector<Int128> pooled_counts(const std::vector<UserGroup>& groups, std::size_t index, BinRange range) {
  std::vector<Int128> counts(static_cast<std::size_t>(range.count()), 0);
  for (const UserGroup& group : groups) {
    for (const BinCells& bin : group.bins[index]) {
      counts[static_cast<std::size_t>(std::clamp(bin.bin, range.first, range.last) - range.first)] += bin.users;
    }
  }
  return counts;
}

UserBounds bounds_of_bins(std::optional<BinRange> standing_out, const UserAggregate& aggregate) {
  const UserValue& value = aggregate.value;
  UserBounds bounds{std::clamp(Int128{0}, value.least, value.most), std::clamp(Int128{1}, value.least, value.most)};
  if (standing_out) {
    bounds = {values_of_bin(standing_out->first, value).lo, values_of_bin(standing_out->last, value).hi};
  }
  if (aggregate.statistic->adds_up()) {
    bounds = {std::min(bounds.lo, Int128{0}), std::max(bounds.hi, Int128{0})};
  }
  return bounds;
}

double share_clipped(const std::vector<double>& noisy, BinRange range, const UserValue& value,
                     const UserBounds& bounds) {
  double all = 0.0;
  double clipped = 0.0;
  for (int bin = range.first; bin <= range.last; ++bin) {
    const double count = noisy[static_cast<std::size_t>(bin - range.first)];
    all += count;
    if (is_clipped(bin, value, bounds)) clipped += count;
  }
  return all <= 0.0 ? 0.0 : std::clamp(clipped / all, 0.0, 1.0);
}

}  // namespace

InferredBounds infer_bounds(const std::vector<UserGroup>& groups, std::size_t index, const UserAggregate& aggregate,
                            const UserAggregatePlan& plan, int groups_per_user, RandomWords& words) {
  TACIT_CHECK(!aggregate.bounds && aggregate.inference == BoundsInference::histogram, "bounds are to be inferred");
  const BinRange range = magnitude_bins(aggregate.value);
  const auto noise = user_noise({NoiseLaw::geometric, plan.bounds_epsilon, 0.0}, groups_per_user, 1, 1);
  std::vector<double> noisy;
  for (const Int128 count : pooled_counts(groups, index, range)) {
    noisy.push_back(static_cast<double>(noise->add_to(count, words)));
  }
  std::optional<BinRange> found =
      standing_out(noisy, plan.bounds_threshold, range.first, last_small_bin(aggregate.value));
  if (found) found = BinRange{found->first + range.first, found->last + range.first};
  InferredBounds result;
  result.found = found.has_value();
  result.bounds = bounds_of_bins(found, aggregate);
  result.share_clipped = share_clipped(noisy, range, aggregate.value, result.bounds);
  return result;
}

}  // namespace tacit
