#include "noise/users/user_columns.hpp"

#include "base/check.hpp"

namespace tacit {

std::unique_ptr<const UserColumn> user_column(const UserColumnPlan& plan) {
  for (const UserRelease& release : user_releases) {
    if (&release.statistic() == plan.aggregate.statistic) return release.column(plan);
  }
  TACIT_CHECK(false, "a statistic is one of the list");
}

}  // namespace tacit
