#include "sensitivity/users/user_bounds.hpp"

#include <fmt/format.h>

#include "sensitivity/users/aggregates/bounding.hpp"

namespace tacit {

Result<BoundedUserAggregate> bound_user_aggregate(const Aggregate& aggregate, OwnerArgument owner,
                                                  const UserRows& rows) {
  const UserStatistic* statistic = find_user_statistic(aggregate.kind);
  if (statistic == nullptr) {
    return refuse(fmt::format("{} is not supported in the users model", name_of(aggregate.kind)),
                  "use COUNT, SUM, AVG, MIN, MAX, a variance or a quantile", aggregate.position);
  }
  if (!traits_of(aggregate.kind).counts && !aggregate.argument->type.is_number()) {
    return refuse(
        fmt::format("{} over {} needs a number", name_of(aggregate.kind), rows.row_is_user ? "rows" : "people"),
        "extract a number from the column, or count", aggregate.position);
  }
  UserBounding bounding(*statistic, aggregate, owner, rows);
  return statistic->bound(bounding);
}

}  // namespace tacit
