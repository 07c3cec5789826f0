#include "noise/users/user_columns.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"

namespace tacit {
namespace {

struct ReleasedStatistic {
  const UserStatistic& (*statistic)();
  std::unique_ptr<const UserColumn> (*column)(const UserColumnPlan& plan);
};

constexpr auto releases = std::to_array<ReleasedStatistic>({
    {total_statistic, total_column},
    {mean_statistic, mean_column},
    {variance_statistic, variance_column},
    {deviation_statistic, deviation_column},
    {quantile_statistic, quantile_column},
    {distinct_statistic, distinct_column},
});
static_assert(std::ranges::equal(releases, user_statistics, {}, &ReleasedStatistic::statistic),
              "every statistic of user_statistics.hpp has its release, in the same order");

}  // namespace

std::unique_ptr<const UserColumn> user_column(const UserColumnPlan& plan) {
  for (const ReleasedStatistic& release : releases) {
    if (&release.statistic() == plan.aggregate.statistic) return release.column(plan);
  }
  TACIT_CHECK(false, "a statistic is one of the list");
}

}  // namespace tacit
