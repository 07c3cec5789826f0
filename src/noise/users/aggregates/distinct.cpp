#include "noise/users/noisy_number.hpp"
#include "noise/users/user_columns.hpp"

namespace tacit {

// In the one bin of its part.
std::unique_ptr<const UserColumn> distinct_column(const UserColumnPlan& plan) {
  return noisy_number(plan, [](const UserGroup& group, const UserColumnPlan& of, const UserBounds&) {
    const Bins& bins = group.bins[of.index];
    return bins.empty() ? Int128{0} : bins.front().users;
  });
}

}  // namespace tacit
