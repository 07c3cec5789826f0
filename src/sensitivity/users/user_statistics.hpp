#pragma once

#include <array>

#include "sensitivity/users/user_statistic.hpp"

namespace tacit {

const UserStatistic& total_statistic();      // sum over the users of a group: COUNT, SUM, people
const UserStatistic& mean_statistic();       // of the users that say something
const UserStatistic& variance_statistic();   // of the population of those
const UserStatistic& deviation_statistic();  // its square root
const UserStatistic& quantile_statistic();   // of those, chosen by rank
const UserStatistic& distinct_statistic();   // how many different values the users' kept values have together

// All of them. noise/users/user_columns.hpp has a release for each, or does not compile.
inline constexpr auto user_statistics = std::to_array<const UserStatistic& (*)()>({
    total_statistic,
    mean_statistic,
    variance_statistic,
    deviation_statistic,
    quantile_statistic,
    distinct_statistic,
});

// Null where the users model has none for it.
const UserStatistic* find_user_statistic(AggregateKind kind);

}  // namespace tacit
