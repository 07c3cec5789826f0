#pragma once

#include "sensitivity/users/aggregates/bounding.hpp"

namespace tacit {

// Each person says the mean of their rows. Where the statistic adds up squares, on a coarser grid.
Result<BoundedUserAggregate> bound_mean(UserBounding& bounding);

// Why a statistic of such values is not the SQL's own.
constexpr const char* about_people = "it is about people, each with the mean or quantile of their rows within bounds";

}  // namespace tacit
