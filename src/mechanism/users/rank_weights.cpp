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

constexpr long double growth_allowance = 1.0L - 0x1p-50L;
constexpr long double largest_growth = 0x1p40L;
constexpr UInt128 least_weight = UInt128{1} << 30;
constexpr UInt128 largest_weight = UInt128{1} << 90;
constexpr std::size_t most_weights = std::size_t{1} << 20;

constexpr double least_fraction = 0.1;
constexpr Int128 whole = Int128{1} << 16;  // fractions are taken in this many parts

Int128 in_parts(double fraction) { return static_cast<Int128>(std::llround(fraction * static_cast<double>(whole))); }

Int128 moved_by_one(Int128 parts) { return std::max(parts, whole - parts); }

}  // namespace

bool is_chosen_by_rank(double fraction) { return fraction >= least_fraction && fraction <= 1.0 - least_fraction; }

Int128 rank_distance(double fraction, Int128 before, Int128 within, Int128 all) {
  const Int128 parts = in_parts(fraction);
  const Int128 wanted = parts * all;
  const Int128 distance = std::max({Int128{0}, whole * before - wanted, wanted - whole * (before + within)});
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
  const long double growth =
      std::min(std::exp(static_cast<long double>(own.value()) / 2.0L) * growth_allowance, largest_growth);
  // From the far end inwards, rounded down: so none is more than `growth` times the one outside it.
  weights_.push_back(least_weight);
  while (weights_.size() < most_weights) {
    const long double next = std::floor(static_cast<long double>(weights_.back()) * growth);
    if (next > static_cast<long double>(largest_weight)) break;
    if (next <= static_cast<long double>(weights_.back())) break;  // epsilon too small to count on
    weights_.push_back(static_cast<UInt128>(next));
  }
  std::ranges::reverse(weights_);
}

UInt128 RankWeights::of(Int128 distance) const {
  TACIT_CHECK(distance >= 0, "a distance is not negative");
  const auto last = static_cast<Int128>(weights_.size() - 1);
  return weights_[static_cast<std::size_t>(std::min(distance, last))];
}

}  // namespace tacit
