#include "mechanism/users/rank_weights.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "base/check.hpp"
#include "mechanism/choose_mechanism.hpp"

namespace tacit {
namespace {

static_assert(LDBL_MANT_DIG >= 64, "the allowance of rank_weights.md is for 64-bit significands");

// What rank_weights.md ("Rounding") takes off the rate, and the range in which that is enough.
constexpr long double rate_allowance = 0x1p-28L;
constexpr long double least_rate = 0x1p-26L;
constexpr long double largest_rate = 40.0L;

constexpr long double least_weight = 0x1p30L;
constexpr long double range = 41.0L;  // of the weights' logarithms: the largest is below 2^91

constexpr double least_fraction = 0.1;
constexpr Int128 whole = Int128{1} << 16;  // fractions are taken in this many parts

Int128 in_parts(double fraction) { return static_cast<Int128>(std::llround(fraction * static_cast<double>(whole))); }

// In parts: what one person moves a rank by, at most.
Int128 moved_by_one(Int128 parts) { return std::max(parts, whole - parts); }

}  // namespace

bool is_chosen_by_rank(double fraction) { return fraction >= least_fraction && fraction <= 1.0 - least_fraction; }

Int128 rank_distance(double fraction, Int128 before, Int128 within, Int128 all) {
  const Int128 parts = in_parts(fraction);
  const Int128 wanted = parts * all;
  const Int128 distance =
      rank_steps * std::max({Int128{0}, whole * before - wanted, wanted - whole * (before + within)});
  const Int128 unit = moved_by_one(parts);
  if (distance < Int128{1} << 62)
    return static_cast<std::int64_t>(distance) / static_cast<std::int64_t>(unit);  // faster
  return distance / unit;
}

double rank_scale(Epsilon epsilon, int groups_per_user, double fraction) {
  return 2.0 * groups_per_user * std::max(fraction, 1.0 - fraction) / epsilon.value();
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

}  // namespace tacit
