#include "noise/users/user_column.hpp"

#include <array>

#include "base/check.hpp"
#include "mechanism/users/user_parts.hpp"
#include "noise/grid_value.hpp"
#include "noise/release.hpp"
#include "noise/users/clamped_sums.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

std::unique_ptr<const CellNoise> noise_of(const UserColumnPlan& plan) {
  return user_noise(plan.noise, plan.groups_per_user, part_sensitivities(plan.aggregate.statistic, plan.bounds).front(),
                    epsilon_parts(plan.aggregate.statistic));
}

// A number of each group with noise on it: totals, and distinct counts, which are in bin 0 of their part.
class TotalColumn final : public UserColumn {
 public:
  explicit TotalColumn(const UserColumnPlan& plan)
      : plan_(plan),
        noise_(noise_of(plan)),
        release_(sum_release(0, plan.aggregate.value.grid, plan.type, noise_.get())) {}

  NoisyCell release(const UserGroup& group, RandomWords& words) const override {
    const std::array<Int128, 1> cells{noise_->add_to(total(group, plan_.bounds), words)};
    return {release_->value(cells), release_->interval95(cells)};
  }
  Value exact(const UserGroup& group) const override {
    const UserValue& value = plan_.aggregate.value;
    return value_on_grid(total(group, {value.least, value.most}), value.grid, plan_.type);
  }
  std::string mechanism() const override { return name_of(plan_.noise.law); }
  std::optional<double> scale() const override {
    return user_noise_scale(plan_.noise, plan_.groups_per_user,
                            part_sensitivities(plan_.aggregate.statistic, plan_.bounds).front(), 1) *
           step_of(plan_.aggregate.value.grid);
  }

 private:
  Int128 total(const UserGroup& group, const UserBounds& bounds) const {
    const Bins& bins = group.bins[plan_.index];
    if (plan_.aggregate.statistic == UserStatistic::distinct) return bins.empty() ? 0 : bins.front().users;
    if (plan_.first_cell > 0) return group.cells[plan_.first_cell];
    return clamped_sums(bins, plan_.aggregate.value, bounds).sum;
  }

  UserColumnPlan plan_;
  std::unique_ptr<const CellNoise> noise_;
  std::unique_ptr<const Release> release_;
};

// The mean from noisy sums of (x - lo) and (hi - x).
class MeanColumn final : public UserColumn {
 public:
  explicit MeanColumn(const UserColumnPlan& plan)
      : plan_(plan), noise_(noise_of(plan)), release_(release_within(plan.bounds, noise_.get())) {}

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
    ClampedSums own;
    if (plan_.first_cell > 0) {
      own = {group.cells[plan_.first_cell], group.cells[plan_.first_cell + 1], 0};
    } else {
      own = clamped_sums(group.bins[plan_.index], plan_.aggregate.value, bounds);
    }
    return {own.sum - own.users * bounds.lo, own.users * bounds.hi - own.sum};
  }

  UserColumnPlan plan_;
  std::unique_ptr<const CellNoise> noise_;
  std::unique_ptr<const Release> release_;
};

}  // namespace

std::unique_ptr<const UserColumn> user_column(const UserColumnPlan& plan) {
  const UserAggregate& aggregate = plan.aggregate;
  if (!aggregate.bounds && aggregate.inference == BoundsInference::race) {
    TACIT_CHECK(aggregate.statistic == UserStatistic::total, "only totals race");
    return race_column(plan);
  }
  if (aggregate.over_all) return over_all_column(plan);
  switch (aggregate.statistic) {
    case UserStatistic::total:
    case UserStatistic::distinct: return std::make_unique<TotalColumn>(plan);
    case UserStatistic::mean: return std::make_unique<MeanColumn>(plan);
    case UserStatistic::variance:
    case UserStatistic::deviation: return variance_column(plan);
    case UserStatistic::quantile: return quantile_column(plan);
  }
  TACIT_CHECK(false, "every statistic has a column");
}

}  // namespace tacit
