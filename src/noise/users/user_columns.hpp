#pragma once

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

}  // namespace tacit
