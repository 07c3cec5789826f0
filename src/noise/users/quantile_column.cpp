#include <algorithm>
#include <cmath>
#include <utility>

#include "mechanism/users/user_parts.hpp"
#include "noise/grid_value.hpp"
#include "noise/release_range.hpp"
#include "noise/users/quantile_choice.hpp"
#include "noise/users/quantile_walk.hpp"
#include "noise/users/user_column.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

// In the walk to a quantile children are ignored below the first share of their siblings' total, and below the 95%
// width of the noise as far as that is less than the second share: an empty child is not taken for the least or the
// greatest.
constexpr double ignored_share = 0.005;
constexpr double most_ignored_share = 0.1;

// A quantile has no interval: how far the answer strays depends on the data.
class QuantileColumn : public UserColumn {
 public:
  explicit QuantileColumn(UserColumnPlan plan) : plan_(std::move(plan)) {}

  NoisyCell release(const UserGroup& group, RandomWords& words) const final {
    return {at(place(group.bins[plan_.index], words)), std::nullopt};
  }
  Value exact(const UserGroup& group) const final {
    const Bins& leaves = group.bins[plan_.index];
    if (leaves.empty()) return Null{};
    return at(walk_to_quantile(
        leaves, fraction(), [](Int128 count) { return count; }, [](double) { return 0.0; }));
  }
  std::string mechanism() const final { return name_of(plan_.noise.law); }

 protected:
  double fraction() const { return plan_.aggregate.value.fraction; }

 private:
  // Among the leaves, from 0 to quantile_leaves.
  virtual double place(const Bins& leaves, RandomWords& words) const = 0;

  // The step nearest to the place; the bounds are below 2^60.
  Value at(double place) const {
    const auto width = static_cast<long double>(plan_.bounds.hi - plan_.bounds.lo);
    const long double steps = std::floor(width * static_cast<long double>(place) / quantile_leaves + 0.5L);
    const Value value =
        value_on_grid(plan_.bounds.lo + static_cast<Int128>(steps), plan_.aggregate.value.grid, plan_.type);
    const auto* real = std::get_if<double>(&value);
    if (real == nullptr || !plan_.type.is_exact_number()) return value;
    const int scale = plan_.type.kind == TypeKind::decimal ? plan_.type.scale : 0;
    const long double units = std::floor(*real * static_cast<long double>(power_of_ten(scale)) + 0.5L);
    return Decimal{clamp_to_release(static_cast<Int128>(units)), scale};
  }

  UserColumnPlan plan_;
};

// By a walk down a tree of noisy counts.
class WalkedQuantile final : public QuantileColumn {
 public:
  explicit WalkedQuantile(const UserColumnPlan& plan)
      : QuantileColumn(plan),
        noise_(user_noise(plan.noise, plan.groups_per_user, part_sensitivities(UserStatistic::quantile, plan.bounds)[0],
                          epsilon_parts(UserStatistic::quantile))),
        noise_width_(static_cast<double>(noise_->half_width(0.95))) {}

 private:
  double place(const Bins& leaves, RandomWords& words) const override {
    const auto noisy = [&](Int128 count) { return noise_->add_to(count, words); };
    const auto least_counted = [&](double total) {
      return std::max(total * ignored_share, std::min(noise_width_, total * most_ignored_share));
    };
    return walk_to_quantile(leaves, fraction(), noisy, least_counted);
  }

  std::unique_ptr<const CellNoise> noise_;
  double noise_width_;
};

// By rank.
class ChosenQuantile final : public QuantileColumn {
 public:
  explicit ChosenQuantile(const UserColumnPlan& plan)
      : QuantileColumn(plan), weights_(plan.noise.epsilon, plan.groups_per_user) {}

 private:
  double place(const Bins& leaves, RandomWords& words) const override {
    return choose_quantile(leaves, fraction(), weights_, words);
  }

  RankWeights weights_;
};

}  // namespace

std::unique_ptr<const UserColumn> quantile_column(const UserColumnPlan& plan) {
  if (plan.noise.law == NoiseLaw::exponential) return std::make_unique<ChosenQuantile>(plan);
  return std::make_unique<WalkedQuantile>(plan);
}

}  // namespace tacit
