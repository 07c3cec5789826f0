#include "base/check.hpp"
#include "noise/users/clamped_sums.hpp"
#include "noise/users/noisy_number.hpp"
#include "noise/users/user_columns.hpp"

namespace tacit {

// Within bounds of each group, or as its bounds are found: over all groups together, or with the answer by a race.
std::unique_ptr<const UserColumn> total_column(const UserColumnPlan& plan) {
  const UserAggregate& aggregate = plan.aggregate;
  if (!aggregate.bounds && aggregate.inference == BoundsInference::race) return race_column(plan);
  if (aggregate.over_all) return over_all_column(plan);
  return noisy_number(plan, [](const UserGroup& group, const UserColumnPlan& of, const UserBounds& bounds) {
    return sums_of(group, of, bounds).sum;
  });
}

}  // namespace tacit
