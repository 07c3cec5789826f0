#include "noise/users/quantile_choice.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/check.hpp"
#include "noise/sampling/law_sampler.hpp"
#include "sensitivity/users/users_cells.hpp"

namespace tacit {
namespace {

// Neighbouring places of one weight.
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

  // Beyond the last run nobody is here.
  std::optional<int> place(UInt128 drawn) const {
    if (drawn >= total_) return std::nullopt;
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

std::optional<int> choose_quantile(const Bins& leaves, const QuantilePlaces& places, double fraction,
                                   const RankTarget& target, const RankWeights& weights, RandomWords& words) {
  Int128 all = 0;
  for (const BinCells& leaf : leaves) all += leaf.users;
  const auto weight = [&](Int128 before, Int128 within) { return weights.of(target.distance(before, within, all)); };
  Runs runs;
  Int128 before = 0;
  int next = 0;
  int last_leaf = -1;
  for (auto leaf = leaves.begin(); leaf != leaves.end();) {
    const int place = places.of_leaf(leaf->bin);
    Int128 within = 0;
    for (; leaf != leaves.end() && places.of_leaf(leaf->bin) == place; ++leaf) {
      TACIT_CHECK(leaf->bin > last_leaf && leaf->bin < quantile_leaves, "leaves are in order, each once");
      last_leaf = leaf->bin;
      within += leaf->users;
    }
    runs.add(next, place - next, weight(before, 0));
    runs.add(place, 1, weight(before, within));
    before += within;
    next = place + 1;
  }
  runs.add(next, places.count() - next, weight(before, 0));
  const UInt128 nobody = weights.of(nobody_distance(all)) * static_cast<UInt128>(nobody_per_place(fraction)) *
                         static_cast<UInt128>(places.count());
  return runs.place(words.below(runs.total() + nobody));
}

LawSampler exponential_sampler() { return ChoiceByRank{}; }

}  // namespace tacit
