#include <algorithm>

#include "base/check.hpp"
#include "mechanism/interval_coverage.hpp"
#include "mechanism/users/over_all.hpp"
#include "noise/grid_value.hpp"
#include "noise/sampling/release_range.hpp"
#include "noise/users/user_columns.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

Int128 floor_divide(Int128 number, Int128 by) { return number / by - (number % by < 0 ? 1 : 0); }
Int128 ceil_divide(Int128 number, Int128 by) { return -floor_divide(-number, by); }
Int128 round_divide(Int128 number, Int128 by) { return floor_divide(number + by / 2, by); }

// A total that is bounded over all groups together.
class OverAllColumn final : public UserColumn {
 public:
  explicit OverAllColumn(const UserColumnPlan& plan)
      : plan_(plan), per_step_(plan.over_all.per_step), noise_(user_noise(plan.noise, 1, plan.over_all.most, 1)) {
    const bool widened = plan.beyond.has_value();
    half_width_ = noise_->half_width(widened ? (1.0 + interval_coverage) / 2.0 : interval_coverage);
  }

  NoisyCell release(const UserGroup& group, RandomWords& words) const override {
    const Int128 noisy = noise_->add_to(total(group), words);
    const auto width = static_cast<UInt128>(half_width_);
    Int128 lo = floor_divide(release_sum(noisy, true, width), per_step_);
    Int128 hi = ceil_divide(release_sum(noisy, false, width), per_step_);
    if (plan_.beyond) {
      const UserBounds& facts = *plan_.aggregate.facts;
      lo = clamp_to_release(lo + *plan_.beyond * std::min<Int128>(facts.lo, 0));
      hi = clamp_to_release(hi + *plan_.beyond * std::max<Int128>(facts.hi, 0));
    }
    return {shown(round_divide(noisy, per_step_)), std::pair(shown(lo), shown(hi))};
  }
  // Within a bound that was stated, as with every other one; all of it where the bound is found with noise.
  Value exact(const UserGroup& group) const override {
    if (plan_.aggregate.most_over_all) return shown(round_divide(total(group), per_step_));
    Int128 sum = 0;
    for (const BinCells& bin : group.bins[plan_.index]) sum += bin.sum;
    return shown(sum);
  }
  std::string mechanism() const override { return name_of(plan_.noise.law); }
  std::optional<double> scale() const override {
    return user_noise_scale(plan_.noise, 1, plan_.over_all.most, 1) / static_cast<double>(per_step_) *
           step_of(plan_.aggregate.value.grid);
  }

 private:
  Value shown(Int128 steps) const { return value_on_grid(steps, plan_.aggregate.value.grid, plan_.type); }

  Int128 total(const UserGroup& group) const {
    const Int128 per_share = plan_.over_all.most / spread_shares;
    Int128 sum = 0;
    for (const BinCells& bin : plan_.over_all.euclidean ? group.lengths[plan_.index] : group.bins[plan_.index]) {
      // `squares` holds the shares of what users say in all groups (users_cells.hpp).
      sum += bin.bin <= plan_.over_all.bin ? bin.sum * per_step_ : bin.squares * per_share;
    }
    return sum;
  }

  UserColumnPlan plan_;
  Int128 per_step_;
  std::unique_ptr<const CellNoise> noise_;
  Int128 half_width_ = 0;
};

}  // namespace

std::unique_ptr<const UserColumn> over_all_column(const UserColumnPlan& plan) {
  TACIT_CHECK(plan.aggregate.over_all && plan.aggregate.statistic == &total_statistic(),
              "totals are bounded over all groups");
  return std::make_unique<OverAllColumn>(plan);
}

}  // namespace tacit
