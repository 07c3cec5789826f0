#include "noise/users/quantile_walk.hpp"

#include <algorithm>
#include <array>

namespace tacit {
namespace {

using Children = std::array<double, quantile_branching>;

// The children of the node that covers leaves first ... first + quantile_branching * width - 1.
Children noisy_children(const Bins& leaves, int first, int width, const std::function<Int128(Int128)>& noisy) {
  std::array<Int128, quantile_branching> exact{};
  for (auto at = std::ranges::lower_bound(leaves, first, {}, &BinCells::bin);
       at != leaves.end() && at->bin < first + width * quantile_branching; ++at) {
    exact[static_cast<std::size_t>((at->bin - first) / width)] += at->users;
  }
  Children counts{};
  std::ranges::transform(exact, counts.begin(),
                         [&](Int128 count) { return std::max(0.0, static_cast<double>(noisy(count))); });
  return counts;
}

double total_of(const Children& counts) {
  double total = 0.0;
  for (const double count : counts) total += count;
  return total;
}

}  // namespace

double walk_to_quantile(const Bins& leaves, double fraction, const std::function<Int128(Int128)>& noisy,
                        const std::function<double(double)>& least_counted) {
  int first = 0;
  int width = quantile_leaves;
  while (width > 1) {
    const int child_width = width / quantile_branching;
    Children counts = noisy_children(leaves, first, child_width, noisy);
    const double least = least_counted(total_of(counts));
    for (double& count : counts) count = count < least ? 0.0 : count;
    const double total = total_of(counts);
    if (total <= 0.0) break;

    const double wanted = fraction * total;
    double before = 0.0;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] <= 0.0) continue;
      chosen = i;
      if (before + counts[i] >= wanted) break;
      before += counts[i];
    }
    fraction = std::clamp((wanted - before) / counts[chosen], 0.0, 1.0);
    first += static_cast<int>(chosen) * child_width;
    width = child_width;
  }
  return first + fraction * width;
}

}  // namespace tacit
