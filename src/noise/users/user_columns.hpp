#pragma once

#include <algorithm>
#include <array>

#include "noise/users/user_column.hpp"

namespace tacit {

// The release of each statistic (sensitivity/users/user_statistics.hpp), in the file of its name in aggregates/.
std::unique_ptr<const UserColumn> total_column(const UserColumnPlan& plan);
std::unique_ptr<const UserColumn> mean_column(const UserColumnPlan& plan);
std::unique_ptr<const UserColumn> variance_column(const UserColumnPlan& plan);
std::unique_ptr<const UserColumn> deviation_column(const UserColumnPlan& plan);
std::unique_ptr<const UserColumn> quantile_column(const UserColumnPlan& plan);
std::unique_ptr<const UserColumn> distinct_column(const UserColumnPlan& plan);

// Totals that are bounded over all groups together, and those that a race finds.
std::unique_ptr<const UserColumn> over_all_column(const UserColumnPlan& plan);
std::unique_ptr<const UserColumn> race_column(const UserColumnPlan& plan);

struct UserRelease {
  const UserStatistic& (*statistic)();
  std::unique_ptr<const UserColumn> (*column)(const UserColumnPlan& plan);
};

inline constexpr auto user_releases = std::to_array<UserRelease>({
    {total_statistic, total_column},
    {mean_statistic, mean_column},
    {variance_statistic, variance_column},
    {deviation_statistic, deviation_column},
    {quantile_statistic, quantile_column},
    {distinct_statistic, distinct_column},
});
static_assert(std::ranges::equal(user_releases, user_statistics, {}, &UserRelease::statistic),
              "every statistic of user_statistics.hpp has its release, in the same order");

}  // namespace tacit
