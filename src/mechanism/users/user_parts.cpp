#include "mechanism/users/user_parts.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace tacit {

Int128 total_sensitivity(const UserBounds& bounds) {
  return std::max({bounds.lo < 0 ? -bounds.lo : bounds.lo, bounds.hi < 0 ? -bounds.hi : bounds.hi, Int128{1}});
}

std::vector<Int128> part_sensitivities(UserStatistic statistic, const UserBounds& bounds) {
  TACIT_CHECK(bounds.lo <= bounds.hi, "the bounds of a user's value are ordered");
  const Int128 width = std::max(bounds.hi - bounds.lo, Int128{1});
  switch (statistic) {
    case UserStatistic::total: return {total_sensitivity(bounds)};
    case UserStatistic::distinct: return {std::max(bounds.hi, Int128{1})};
    case UserStatistic::mean: return {width, width};
    case UserStatistic::variance:
    case UserStatistic::deviation: return {1, width, width * width};
    case UserStatistic::quantile: return {1};
  }
  TACIT_CHECK(false, "every statistic has its parts");
}

int epsilon_parts(UserStatistic statistic) {
  switch (statistic) {
    case UserStatistic::variance:
    case UserStatistic::deviation: return 3;
    case UserStatistic::quantile:
    case UserStatistic::total:
    case UserStatistic::mean:
    case UserStatistic::distinct: return 1;
  }
  TACIT_CHECK(false, "every statistic has its parts");
}

}  // namespace tacit
