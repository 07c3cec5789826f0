#pragma once

#include "noise/users/user_column.hpp"

namespace tacit {

// The exact number of a group, from values within these bounds.
using GroupNumber = Int128 (*)(const UserGroup& group, const UserColumnPlan& plan, const UserBounds& bounds);

// A statistic with a single part: that number with noise on it.
std::unique_ptr<const UserColumn> noisy_number(const UserColumnPlan& plan, GroupNumber number);

}  // namespace tacit
