#include "mechanism/users/race.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "sensitivity/contribution/users_cells.hpp"

namespace tacit {
namespace {

constexpr long double upward_allowance = 1.0L + 0x1p-50L;
// Of race_width, for truncations a little above a power of two and for penalties and noise in whole steps (race.md).
constexpr long double edge_allowance = 1.0L + 0x1p-28L;
constexpr Int128 rounding_steps = 4;

Int128 whole_up(long double steps) {
  const long double up = std::ceil(steps * upward_allowance);
  return up >= 0x1p120L ? Int128{1} << 120 : static_cast<Int128>(up);
}

// L ln(L / b) k / epsilon
long double penalty_per_step(Epsilon epsilon, int groups, int levels, double failure) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(failure > 0.0 && failure < 1.0, "a race fails with some probability");
  const auto count = static_cast<long double>(levels);
  return count * std::log(count / static_cast<long double>(failure)) * static_cast<long double>(groups) /
         static_cast<long double>(epsilon.value());
}

}  // namespace

int race_levels(Int128 most) {
  TACIT_CHECK(most >= 0, "a race is over values that are not negative");
  int levels = 1;
  while (Int128{1} << levels < most) ++levels;
  return levels;
}

Int128 race_truncation(int level) { return magnitude_edge(2 * level + 1); }

Int128 race_penalty(Epsilon epsilon, int groups_per_user, int levels, int level, double failure) {
  return whole_up(penalty_per_step(epsilon, groups_per_user, levels, failure) *
                  static_cast<long double>(race_truncation(level)));
}

Int128 race_width(Epsilon epsilon, int groups_per_user, Int128 most, double failure) {
  const long double ideal = 4.0L * penalty_per_step(epsilon, groups_per_user, race_levels(most), failure) *
                            static_cast<long double>(std::max(most, Int128{1}));
  return whole_up(ideal * edge_allowance) + rounding_steps;
}

}  // namespace tacit
