#include <algorithm>
#include <cmath>

#include "mechanism/users/quantile_places.hpp"
#include "mechanism/users/rank_interval.hpp"
#include "noise/average.hpp"
#include "noise/grid_value.hpp"
#include "noise/sampling/release_range.hpp"
#include "noise/users/quantile_choice.hpp"
#include "noise/users/user_columns.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

// The place where the quantile lies: the first with at least that part of the people in it and below.
std::optional<int> exact_place(const Bins& leaves, const QuantilePlaces& places, double fraction) {
  long double all = 0.0L;
  for (const BinCells& leaf : leaves) all += static_cast<long double>(leaf.users);
  long double up_to = 0.0L;
  for (const BinCells& leaf : leaves) {
    up_to += static_cast<long double>(leaf.users);
    if (up_to > 0.0L && up_to >= fraction * all) return places.of_leaf(leaf.bin);
  }
  return std::nullopt;
}

// Chosen by rank; the interval from noisy counts around the choice, or from the choice itself.
class QuantileColumn final : public UserColumn {
 public:
  explicit QuantileColumn(const UserColumnPlan& plan)
      : plan_(plan),
        fraction_(plan.aggregate.value.fraction),
        shares_(quantile_shares(plan.noise.epsilon, fraction_)),
        places_(plan.aggregate),
        weights_(shares_.choice, plan.groups_per_user),
        target_(fraction_, weights_.margin(places_.count())) {
    if (is_extreme(fraction_)) return;
    const UserNoise counting{NoiseLaw::geometric, shares_.interval, 0.0};
    ring_noise_ = user_noise(counting, plan.groups_per_user, 1, 1);
    ring_scale_ = user_noise_scale(counting, plan.groups_per_user, 1, 1);
  }

  NoisyCell release(const UserGroup& group, RandomWords& words) const override {
    const Bins& leaves = group.bins[plan_.index];
    const auto place = choose_quantile(leaves, places_, fraction_, target_, weights_, words);
    if (!place) return {Null{}, std::nullopt};
    return {value(places_.shown(*place), Rounding::nearest), interval(*place, leaves, words)};
  }

  Value exact(const UserGroup& group) const override {
    const auto place = exact_place(group.bins[plan_.index], places_, fraction_);
    return place ? value(places_.shown(*place), Rounding::nearest) : Value(Null{});
  }
  std::string mechanism() const override { return name_of(plan_.noise.law); }

 private:
  std::pair<Value, Value> interval(int place, const Bins& leaves, RandomWords& words) const {
    const int last = places_.count() - 1;
    if (fraction_ <= 0.0) return between(0, place);
    if (fraction_ >= 1.0) return between(place, last);
    const std::vector<Ring> rings = rings_around(place, places_.count());
    std::vector<Int128> people(rings.size(), 0);
    for (const BinCells& leaf : leaves) {
      const auto ring = std::ranges::lower_bound(rings, places_.of_leaf(leaf.bin), {}, &Ring::last);
      people[static_cast<std::size_t>(ring - rings.begin())] += leaf.users;
    }
    std::vector<double> counts;
    for (const Int128 count : people) counts.push_back(static_cast<double>(ring_noise_->add_to(count, words)));
    const auto centre = std::ranges::lower_bound(rings, place, {}, &Ring::last);
    const RingRange found =
        rings_of_quantile(counts, static_cast<std::size_t>(centre - rings.begin()), fraction_, ring_scale_);
    return between(rings[found.first].first, rings[found.last].last);
  }

  std::pair<Value, Value> between(int first, int last) const {
    const UserBounds ends = places_.ends(first, last);
    return {value(ends.lo, Rounding::down), value(ends.hi, Rounding::up)};
  }

  // In the column's type; the bounds are below 2^60. Numbers of the type are on the grid to half a step, which rounding
  // outward allows for.
  Value value(Int128 steps, Rounding rounding) const {
    const Value value = value_on_grid(steps, plan_.aggregate.value.grid, plan_.type);
    const auto* real = std::get_if<double>(&value);
    if (real == nullptr || !plan_.type.is_exact_number()) return value;
    const int scale = plan_.type.kind == TypeKind::decimal ? plan_.type.scale : 0;
    const auto power = static_cast<long double>(power_of_ten(scale));
    const long double units = *real * power;
    const long double step = step_of(plan_.aggregate.value.grid) * power;
    const long double allowed = step < 0.25L ? step : 0.0L;
    const long double whole = rounding == Rounding::down ? std::floor(units + allowed)
                              : rounding == Rounding::up ? std::ceil(units - allowed)
                                                         : std::floor(units + 0.5L);
    return Decimal{clamp_to_release(static_cast<Int128>(whole)), scale};
  }

  UserColumnPlan plan_;
  double fraction_;
  QuantileShares shares_;
  QuantilePlaces places_;
  RankWeights weights_;
  RankTarget target_;
  std::unique_ptr<const CellNoise> ring_noise_;
  double ring_scale_ = 0.0;
};

}  // namespace

std::unique_ptr<const UserColumn> quantile_column(const UserColumnPlan& plan) {
  return std::make_unique<QuantileColumn>(plan);
}

}  // namespace tacit
