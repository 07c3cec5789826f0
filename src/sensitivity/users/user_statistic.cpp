#include "sensitivity/users/user_statistic.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "sensitivity/users/user_statistics.hpp"
#include "sensitivity/users/users_analysis.hpp"

namespace tacit {

std::vector<Int128> UserStatistic::part_sensitivities(const UserBounds& bounds) const {
  TACIT_CHECK(bounds.lo <= bounds.hi, "the bounds of a user's value are ordered");
  std::vector<Int128> parts = sensitivities_within(bounds);
  for (Int128& part : parts) part = std::max(part, Int128{1});
  return parts;
}

bool has_cell(const UserStatistic& statistic, UserCell cell) {
  const auto cells = statistic.cells();
  return std::ranges::find(cells, cell) != cells.end();
}

const UserStatistic* find_user_statistic(AggregateKind kind) {
  for (const auto statistic : user_statistics) {
    if (statistic().answers(kind)) return &statistic();
  }
  return nullptr;
}

}  // namespace tacit
