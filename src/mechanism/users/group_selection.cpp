#include "mechanism/users/group_selection.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace tacit {
namespace {

static_assert(LDBL_MANT_DIG >= 64, "the allowances of group_selection.md are for 64-bit significands");

// What group_selection.md ("Rounding") takes off, and the range in which that is enough.
constexpr long double delta_allowance = 1.0L - 0x1p-30L;
constexpr long double epsilon_allowance = 1.0L - 0x1p-30L;
constexpr long double epsilon_reserve = 0x1p-46L;
constexpr long double least_epsilon = 0x1p-20L;
constexpr long double largest_epsilon = 16.0L;
constexpr long double least_delta = 0x1p-900L;

constexpr double threshold_allowance = 1.0 + 0x1p-40;

void check_arguments(Epsilon epsilon, Delta delta, int groups) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(delta.value() > 0.0 && delta.value() < 1.0, "choosing groups takes a delta between 0 and 1");
  TACIT_CHECK(groups >= 1, "a user counts in at least one group");
}

// 1 - (1 - delta)^(1/k)
long double delta_of_one_group(Delta delta, int groups) {
  return -std::expm1(std::log1p(-static_cast<long double>(delta.value())) / static_cast<long double>(groups));
}

}  // namespace

OptimalSelection::OptimalSelection(Epsilon epsilon, Delta delta, int groups_per_user)
    : delta_(delta_of_one_group(delta, groups_per_user) * delta_allowance) {
  check_arguments(epsilon, delta, groups_per_user);
  const long double of_one = static_cast<long double>(epsilon.value()) / static_cast<long double>(groups_per_user);
  without_epsilon_ = of_one < least_epsilon;
  if (delta_ < least_delta) delta_ = 0.0L;
  if (without_epsilon_ || delta_ == 0.0L) return;
  epsilon_ = std::min(of_one, largest_epsilon) * epsilon_allowance - epsilon_reserve;
  floor_ = delta_ / std::expm1(epsilon_);
  turn_ = 1.0L + std::floor(std::log1p(std::tanh(epsilon_ / 2.0L) * (1.0L / delta_ - 1.0L)) / epsilon_);
  hidden_at_turn_ = 1.0L - floor_ * std::expm1(turn_ * epsilon_);
}

ShowChance OptimalSelection::chance(Int128 users) const {
  if (users <= 0 || delta_ == 0.0L) return {0.0, false};
  if (without_epsilon_) return {static_cast<double>(delta_), false};
  const auto n = static_cast<long double>(std::min(users, most_users));
  if (n <= turn_) return {static_cast<double>(floor_ * std::expm1(n * epsilon_)), false};
  const long double hidden = (hidden_at_turn_ + floor_) * std::exp(-(n - turn_) * epsilon_) - floor_;
  return {hidden > 0.0L ? static_cast<double>(hidden) : 0.0, true};
}

Int128 OptimalSelection::users_for(double probability) const {
  Int128 hidden = 0;
  Int128 shown = 1;
  while (shown < most_users && chance(shown).showing() < probability) {
    hidden = shown;
    shown *= 2;
  }
  while (shown - hidden > 1) {
    const Int128 middle = hidden + (shown - hidden) / 2;
    (chance(middle).showing() < probability ? hidden : shown) = middle;
  }
  return shown;
}

double selection_threshold_up(Epsilon epsilon, Delta delta, int groups_per_user) {
  check_arguments(epsilon, delta, groups_per_user);
  const long double of_one_group = std::min(delta_of_one_group(delta, groups_per_user), 0.5L);
  const long double tau = 1.0L - std::log(2.0L * of_one_group) * static_cast<long double>(groups_per_user) /
                                     static_cast<long double>(epsilon.value());
  return std::nextafter(static_cast<double>(tau) * threshold_allowance, std::numeric_limits<double>::infinity());
}

double rounded_threshold(double tau) { return std::ceil(tau + 0.5); }

}  // namespace tacit
