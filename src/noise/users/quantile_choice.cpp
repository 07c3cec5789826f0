#include "noise/users/quantile_choice.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/check.hpp"
#include "sensitivity/contribution/users_cells.hpp"

namespace tacit {
namespace {

// Neighbouring leaves of one weight.
struct Run {
  int first = 0;
  UInt128 weight = 0;  // of each
  UInt128 up_to = 0;   // of all runs up to this one
};

class Runs {
 public:
  void add(int first, int count, UInt128 weight) {
    if (count == 0) return;
    total_ += weight * static_cast<UInt128>(count);
    runs_.push_back({first, weight, total_});
  }

  int leaf(UInt128 drawn) const {
    const auto run = std::ranges::upper_bound(runs_, drawn, {}, &Run::up_to);
    const UInt128 before = run == runs_.begin() ? 0 : std::prev(run)->up_to;
    return run->first + static_cast<int>((drawn - before) / run->weight);
  }

  UInt128 total() const { return total_; }

 private:
  std::vector<Run> runs_;
  UInt128 total_ = 0;
};

}  // namespace

double choose_quantile(const Bins& leaves, double fraction, const RankWeights& weights, RandomWords& words) {
  Int128 all = 0;
  for (const BinCells& leaf : leaves) all += leaf.users;
  const auto weight = [&](Int128 before, Int128 within) {
    return weights.of(rank_distance(fraction, before, within, all));
  };
  Runs runs;
  Int128 before = 0;
  int next = 0;
  for (const BinCells& leaf : leaves) {
    TACIT_CHECK(leaf.bin >= next && leaf.bin < quantile_leaves, "leaves are in order, each once");
    runs.add(next, leaf.bin - next, weight(before, 0));
    runs.add(leaf.bin, 1, weight(before, leaf.users));
    before += leaf.users;
    next = leaf.bin + 1;
  }
  runs.add(next, quantile_leaves - next, weight(before, 0));
  return runs.leaf(words.below(runs.total())) + 0.5;
}

}  // namespace tacit
