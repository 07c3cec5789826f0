#pragma once

#include <string>

#include "mechanism/users/users_plan.hpp"
#include "sensitivity/users/users_analysis.hpp"

namespace tacit {

// What an interval about the noise alone would leave out, for NoisyColumn::left_out; empty where the interval holds the
// SQL's own answer: every row is there, nothing of a person is cut off, or what is cut off widened the interval.
// `all_groups`: no group of any person was left out.
std::string left_out(const UserAggregate& aggregate, const UserAggregatePlan& plan, const UsersAnalysis& users,
                     bool all_groups);

}  // namespace tacit
