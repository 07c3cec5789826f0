#include "mechanism/users/rank_weights.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "base/check.hpp"
#include "mechanism/noise_rule.hpp"
#include "mechanism/share_down.hpp"

namespace tacit {
namespace {

static_assert(LDBL_MANT_DIG >= 64, "the allowance of rank_weights.md is for 64-bit significands");

// What rank_weights.md ("Rounding") takes off the rate, and the range in which that is enough.
constexpr long double rate_allowance = 0x1p-28L;
constexpr long double least_rate = 0x1p-26L;
constexpr long double largest_rate = 40.0L;

constexpr long double least_weight = 0x1p30L;
constexpr long double range = 41.0L;  // of the weights' logarithms: the largest is below 2^91

constexpr double interval_share = 0.1;
constexpr Int128 whole = Int128{1} << 30;  // fractions are taken in this many parts
constexpr Int128 farthest_margin = Int128{1} << 60;

Int128 in_parts(double fraction) { return static_cast<Int128>(std::llround(fraction * static_cast<double>(whole))); }

Int128 quotient(Int128 number, Int128 unit) {
  if (number < Int128{1} << 62 && number > -(Int128{1} << 62))
    return static_cast<std::int64_t>(number) / static_cast<std::int64_t>(unit);  // faster
  return number / unit;
}

}  // namespace

QuantileShares quantile_shares(Epsilon epsilon, double fraction) {
  if (is_extreme(fraction)) return {epsilon, Epsilon(0.0)};
  const double interval = epsilon.value() * interval_share;
  // The sum of both, as doubles, is not above epsilon.
  return {Epsilon(std::nextafter(epsilon.value() - interval, 0.0)), Epsilon(interval)};
}

RankWeights::RankWeights(Epsilon epsilon, int groups_per_user) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(groups_per_user >= 1, "a user counts in at least one group");
  const Epsilon own = share_down(epsilon, static_cast<std::size_t>(groups_per_user));
  const long double rate = static_cast<long double>(own.value()) / (2.0L * rank_steps);
  if (rate < least_rate) return;
  rate_ = std::min(rate, largest_rate) - rate_allowance;
  end_ = static_cast<Int128>(range / rate_);
}

UInt128 RankWeights::of(Int128 distance) const {
  TACIT_CHECK(distance >= 0, "a distance is not negative");
  if (distance >= end_) return static_cast<UInt128>(least_weight);
  return static_cast<UInt128>(std::floor(std::exp(rate_ * static_cast<long double>(end_ - distance)) * least_weight));
}

Int128 RankWeights::margin(int places) const {
  if (rate_ <= 0.0L) return farthest_margin + rank_steps / 2;
  const long double steps = std::log(static_cast<long double>(places) / choice_failure) / rate_;
  const auto people = static_cast<Int128>(std::ceil(steps / rank_steps - 0.5L));
  return std::max(people, Int128{0}) * rank_steps + rank_steps / 2;
}

RankTarget::RankTarget(double fraction, Int128 margin) : mirrored_(fraction < 0.5), margin_(margin) {
  TACIT_CHECK(fraction >= 0.0 && fraction <= 1.0, "a fraction lies between 0 and 1");
  parts_ = mirrored_ ? whole - in_parts(fraction) : in_parts(fraction);
  unit_ = std::max(parts_, whole - parts_);
}

// With b people below and c below or in the place: the target is max(n/2, min(f n, n - margin)) people from below. Each
// of the three stands in the units in which one person moves it by rank_steps at most.
Int128 RankTarget::distance(Int128 before, Int128 within, Int128 all) const {
  const Int128 below = mirrored_ ? all - before - within : before;
  const Int128 up_to = below + within;
  const auto beyond = [&](Int128 rank, int sign) {  // how far the rank is above (1) or below (-1) the target
    const Int128 steps = Int128{sign} * rank_steps;
    const Int128 middle = steps * (2 * rank - all);
    const Int128 quantile = quotient(steps * (whole * rank - parts_ * all), unit_);
    const Int128 end = sign * (rank_steps * (rank - all) + margin_);
    return sign > 0 ? std::min(middle, std::max(quantile, end)) : std::max(middle, std::min(quantile, end));
  };
  return std::max({Int128{0}, beyond(below, 1), beyond(up_to, -1)});
}

double rank_scale(Epsilon epsilon, int groups_per_user, double fraction) {
  const Epsilon choice = quantile_shares(epsilon, fraction).choice;
  return 2.0 * groups_per_user * std::max(fraction, 1.0 - fraction) / choice.value();
}

double rank_error(Epsilon epsilon, int groups_per_user, double fraction, int places, double probability) {
  const double scale = rank_scale(epsilon, groups_per_user, fraction);
  if (!is_extreme(fraction)) return -std::log1p(-probability) * scale;
  const auto margin = RankWeights(epsilon, groups_per_user).margin(places);
  const double around =
      probability < 0.5 ? std::log(2.0 * probability) * scale : -std::log(2.0 - 2.0 * probability) * scale;
  return std::max(0.0, static_cast<double>(margin) / rank_steps + around);
}

namespace {

class ExponentialRule final : public NoiseRule {
 public:
  const char* name() const override { return "exponential"; }
  const char* proof_note() const override { return "mechanism/users/rank_weights.md"; }
  const StepNoise* for_steps() const override { return nullptr; }
  const VectorNoise* for_vectors() const override { return nullptr; }
  const BoundNoise* for_bounds() const override { return nullptr; }
};

}  // namespace

const NoiseRule& exponential_rule() {
  static const ExponentialRule rule;
  return rule;
}

}  // namespace tacit
