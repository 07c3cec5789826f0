#include <array>

#include "noise/release.hpp"
#include "noise/users/clamped_sums.hpp"
#include "noise/users/user_columns.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

// The mean from noisy sums of (x - lo) and (hi - x).
class MeanColumn final : public UserColumn {
 public:
  explicit MeanColumn(const UserColumnPlan& plan)
      : plan_(plan),
        noise_(user_noise(plan.noise, plan.groups_per_user,
                          plan.aggregate.statistic->part_sensitivities(plan.bounds).front(),
                          plan.aggregate.statistic->epsilon_parts())),
        release_(release_within(plan.bounds, noise_.get())) {}

  NoisyCell release(const UserGroup& group, RandomWords& words) const override {
    std::array<Int128, 2> cells = sums(group, plan_.bounds);
    for (Int128& cell : cells) cell = noise_->add_to(cell, words);
    return {release_->value(cells), release_->interval95(cells)};
  }
  Value exact(const UserGroup& group) const override {
    const UserValue& value = plan_.aggregate.value;
    const UserBounds bounds = plan_.first_cell > 0 ? plan_.bounds : UserBounds{value.least, value.most};
    return release_within(bounds, nullptr)->value(sums(group, bounds));
  }
  std::string mechanism() const override { return name_of(plan_.noise.law); }

 private:
  std::unique_ptr<const Release> release_within(const UserBounds& bounds, const CellNoise* noise) const {
    return average_release(0, {plan_.aggregate.value.grid, bounds.lo, bounds.hi, 0}, plan_.type, noise);
  }

  std::array<Int128, 2> sums(const UserGroup& group, const UserBounds& bounds) const {
    const ClampedSums own = sums_of(group, plan_, bounds);
    return {own.sum - own.users * bounds.lo, own.users * bounds.hi - own.sum};
  }

  UserColumnPlan plan_;
  std::unique_ptr<const CellNoise> noise_;
  std::unique_ptr<const Release> release_;
};

}  // namespace

std::unique_ptr<const UserColumn> mean_column(const UserColumnPlan& plan) { return std::make_unique<MeanColumn>(plan); }

}  // namespace tacit
