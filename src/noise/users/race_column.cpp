#include <algorithm>

#include "mechanism/share_down.hpp"
#include "mechanism/users/race.hpp"
#include "noise/grid_value.hpp"
#include "noise/sampling/release_range.hpp"
#include "noise/users/user_columns.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

// The race of the values of one sign, by magnitude.
class Race {
 public:
  Race(int sign, Int128 most, const UserNoise& noise, int groups_per_user, double failure)
      : sign_(sign), width_(race_width(noise.epsilon, groups_per_user, most, failure)) {
    const int levels = race_levels(most);
    for (int level = 1; level <= levels; ++level) {
      lanes_.push_back(
          {race_last_bin(level), race_truncation(level),
           race_penalty(noise.epsilon, groups_per_user, levels, level, failure),
           user_noise({NoiseLaw::laplace, noise.epsilon, 0.0}, groups_per_user, race_truncation(level), levels)});
    }
  }

  Int128 run(const Bins& bins, RandomWords& words) const {
    Int128 best = 0;
    for (const Lane& lane : lanes_) {
      Int128 truncated = 0;
      for (const BinCells& bin : bins) {
        const int magnitude = bin.bin * sign_;
        if (magnitude > 0) truncated += magnitude <= lane.last_bin ? bin.sum * sign_ : bin.users * lane.truncation;
      }
      best = std::max(best, lane.noise->add_to(truncated, words) - lane.penalty);
    }
    return best;
  }

  Int128 width() const { return width_; }

 private:
  struct Lane {
    int last_bin;
    Int128 truncation;
    Int128 penalty;
    std::unique_ptr<const CellNoise> noise;
  };
  int sign_;
  Int128 width_;
  std::vector<Lane> lanes_;
};

// A total without bounds: the race of its positive values minus that of its negative ones. Biased towards 0.
class RaceColumn final : public UserColumn {
 public:
  explicit RaceColumn(const UserColumnPlan& plan) : plan_(plan) {
    const UserValue& value = plan.aggregate.value;
    const bool both = value.least < 0 && value.most > 0;
    const UserNoise noise{NoiseLaw::laplace, both ? share_down(plan.noise.epsilon, 2) : plan.noise.epsilon, 0.0};
    const double failure = both ? race_failure / 2.0 : race_failure;
    if (value.most > 0) positive_.emplace_back(1, value.most, noise, plan.groups_per_user, failure);
    if (value.least < 0) negative_.emplace_back(-1, -value.least, noise, plan.groups_per_user, failure);
  }

  NoisyCell release(const UserGroup& group, RandomWords& words) const override {
    Int128 total = 0;
    UInt128 above = 0;
    UInt128 below = 0;
    for (const Race& race : positive_) {
      total += race.run(group.bins[plan_.index], words);
      above += static_cast<UInt128>(race.width());
    }
    for (const Race& race : negative_) {
      total -= race.run(group.bins[plan_.index], words);
      below += static_cast<UInt128>(race.width());
    }
    return {value(total), std::pair(value(release_sum(total, true, below)), value(release_sum(total, false, above)))};
  }

  Value exact(const UserGroup& group) const override {
    Int128 total = 0;
    for (const BinCells& bin : group.bins[plan_.index]) total += bin.sum;
    return value(total);
  }
  std::string mechanism() const override { return "race to the top"; }

 private:
  Value value(Int128 steps) const { return value_on_grid(steps, plan_.aggregate.value.grid, plan_.type); }

  UserColumnPlan plan_;
  std::vector<Race> positive_;  // none where no value can be positive
  std::vector<Race> negative_;
};

}  // namespace

std::unique_ptr<const UserColumn> race_column(const UserColumnPlan& plan) { return std::make_unique<RaceColumn>(plan); }

}  // namespace tacit
