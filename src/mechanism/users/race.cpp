#include "mechanism/users/race.hpp"

#include <cmath>

#include "base/check.hpp"
#include "sensitivity/users/users_cells.hpp"

namespace tacit {
namespace {

constexpr long double upward_allowance = 1.0L + 0x1p-50L;
constexpr Int128 rounding_steps = 4;  // of race_width: penalties and noise are whole steps (race.md)

Int128 whole_up(long double steps) {
  const long double up = std::ceil(steps * upward_allowance);
  return up >= 0x1p120L ? Int128{1} << 120 : static_cast<Int128>(up);
}

}  // namespace

int race_levels(Int128 most) {
  TACIT_CHECK(most >= 0, "a race is over values that are not negative");
  int levels = 1;
  while (Int128{1} << (2 * levels) < most) ++levels;
  return levels;
}

int race_last_bin(int level) { return 4 * level + 1; }

Int128 race_truncation(int level) { return magnitude_edge(race_last_bin(level)); }

Int128 race_penalty(Epsilon epsilon, int groups_per_user, int levels, int level, double failure) {
  TACIT_CHECK(std::isfinite(epsilon.value()) && epsilon.value() > 0.0, "epsilon is positive and finite");
  TACIT_CHECK(failure > 0.0 && failure < 1.0, "a race fails with some probability");
  const long double scales =
      static_cast<long double>(level) * std::log(4.0L) - std::log(3.0L * static_cast<long double>(failure));
  const long double scale = static_cast<long double>(levels) * static_cast<long double>(groups_per_user) *
                            static_cast<long double>(race_truncation(level)) /
                            static_cast<long double>(epsilon.value());
  return whole_up(scale * scales);
}

Int128 race_width(Epsilon epsilon, int groups_per_user, Int128 most, double failure) {
  const int levels = race_levels(most);
  return 2 * race_penalty(epsilon, groups_per_user, levels, levels, failure) + rounding_steps;
}

}  // namespace tacit
