#include <algorithm>
#include <array>
#include <cmath>

#include "mechanism/interval_coverage.hpp"
#include "noise/grid_value.hpp"
#include "noise/perhaps_empty.hpp"
#include "noise/users/clamped_sums.hpp"
#include "noise/users/user_columns.hpp"
#include "noise/users/user_noise.hpp"

namespace tacit {
namespace {

struct Interval {
  long double lower = 0.0L;
  long double upper = 0.0L;
};

// sum / n for sums and numbers n >= 1 of values inside these intervals.
Interval quotient(Interval sum, Interval count) {
  return {sum.lower / (sum.lower < 0 ? count.lower : count.upper),
          sum.upper / (sum.upper < 0 ? count.upper : count.lower)};
}

Interval square(Interval x) {
  const long double a = x.lower * x.lower;
  const long double b = x.upper * x.upper;
  const bool around_zero = x.lower <= 0 && x.upper >= 0;
  return {around_zero ? 0.0L : std::min(a, b), std::max(a, b)};
}

// Variance and deviation from noisy n, sum of y and sum of 2 y^2 - w^2: sensitivity/users/user_statistic.md.
class VarianceColumn final : public UserColumn {
 public:
  VarianceColumn(const UserColumnPlan& plan, bool root) : plan_(plan), root_(root) {
    const auto sensitivities = plan.aggregate.statistic->part_sensitivities(plan.bounds);
    const int parts = plan.aggregate.statistic->epsilon_parts();
    // All three are within their widths together with probability 0.95: they are independent.
    const double coverage = std::nextafter(std::cbrt(interval_coverage), 1.0) + 0x1p-50;
    for (std::size_t i = 0; i < noises_.size(); ++i) {
      noises_[i] = user_noise(plan.noise, plan.groups_per_user, sensitivities.at(i), parts);
      half_widths_[i] = static_cast<long double>(noises_[i]->half_width(coverage));
    }
    width_ = static_cast<long double>(plan.bounds.hi - plan.bounds.lo);
    empty_width_ = static_cast<long double>(empty_count_width(*noises_[0]));
  }

  NoisyCell release(const UserGroup& group, RandomWords& words) const override {
    const std::array<Int128, 3> exact = centred(sums_of(group, plan_, plan_.bounds));
    std::array<Interval, 3> noisy;
    std::array<Interval, 3> possible;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const auto number = static_cast<long double>(noises_[i]->add_to(exact[i], words));
      noisy[i] = {number, number};
      possible[i] = {number - half_widths_[i], number + half_widths_[i]};
    }
    if (noisy[0].lower <= empty_width_) return {Null{}, std::nullopt};
    // Noise may have made the group look as if it were not empty.
    const bool surely_some = noisy[0].lower > 2.0L * empty_width_;
    const Interval ends = surely_some ? variance(possible) : Interval{0.0L, width_ * width_ / 4.0L};
    return {value(variance(noisy).lower), std::pair(value(ends.lower), value(ends.upper))};
  }

  Value exact(const UserGroup& group) const override {
    const ClampedSums own = sums_of(group, plan_, plan_.bounds);
    if (own.users <= 0) return Null{};
    const auto mean = static_cast<long double>(own.sum) / static_cast<long double>(own.users);
    // Exact while it fits: the subtraction would lose digits.
    const auto squares = checked_multiply(own.users, own.squares);
    const auto square_of_sum = checked_multiply(own.sum, own.sum);
    long double steps = static_cast<long double>(own.squares) / static_cast<long double>(own.users) - mean * mean;
    if (squares && square_of_sum) {
      steps = static_cast<long double>(*squares - *square_of_sum) /
              (static_cast<long double>(own.users) * static_cast<long double>(own.users));
    }
    return value(std::max(steps, 0.0L));
  }
  std::string mechanism() const override { return name_of(plan_.noise.law); }

 private:
  // n, sum of y = 2x - lo - hi, sum of 2 y^2 - w^2.
  std::array<Int128, 3> centred(const ClampedSums& own) const {
    const Int128 twice_middle = plan_.bounds.lo + plan_.bounds.hi;
    const Int128 width = plan_.bounds.hi - plan_.bounds.lo;
    const Int128 squares = 4 * own.squares - 4 * twice_middle * own.sum + own.users * twice_middle * twice_middle;
    return {own.users, 2 * own.sum - own.users * twice_middle, 2 * squares - own.users * width * width};
  }

  // In squared steps.
  Interval variance(const std::array<Interval, 3>& numbers) const {
    const Interval count{std::max(numbers[0].lower, 1.0L), std::max(numbers[0].upper, 1.0L)};
    const Interval squares = quotient(numbers[2], count);
    const Interval of_mean = square(quotient(numbers[1], count));
    const long double most = width_ * width_ / 4.0L;
    const auto end = [&](long double second, long double first) {
      return std::clamp(((second + width_ * width_) / 2.0L - first) / 4.0L, 0.0L, most);
    };
    return {end(squares.lower, of_mean.upper), end(squares.upper, of_mean.lower)};
  }

  Value value(long double steps) const {
    const auto step = static_cast<long double>(step_of(plan_.aggregate.value.grid));
    return static_cast<double>(root_ ? std::sqrt(steps) * step : steps * step * step);
  }

  UserColumnPlan plan_;
  bool root_;  // the deviation
  std::array<std::unique_ptr<const CellNoise>, 3> noises_;
  std::array<long double, 3> half_widths_{};
  long double width_ = 0.0L;
  long double empty_width_ = 0.0L;
};

}  // namespace

std::unique_ptr<const UserColumn> variance_column(const UserColumnPlan& plan) {
  return std::make_unique<VarianceColumn>(plan, false);
}

std::unique_ptr<const UserColumn> deviation_column(const UserColumnPlan& plan) {
  return std::make_unique<VarianceColumn>(plan, true);
}

}  // namespace tacit
