#pragma once

#include "sensitivity/users/aggregates/bounding.hpp"

namespace tacit {

// Totals of whole numbers of rows. COUNT(*) and COUNT(x):
Result<BoundedUserAggregate> bound_count(UserBounding& bounding);
// How many people are in the group: COUNT(DISTINCT owner).
Result<BoundedUserAggregate> bound_presence(const UserBounding& asked);
// How many of them have a row where the argument is not NULL: COUNT(DISTINCT owner) FILTER (WHERE ...).
Result<BoundedUserAggregate> bound_people_with_rows(const UserBounding& asked);

}  // namespace tacit
