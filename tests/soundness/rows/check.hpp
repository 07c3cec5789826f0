#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/int128.hpp"
#include "mechanism/rows/rows_plan.hpp"

namespace tacit::soundness::rows {

// The cells of each group, in units of their grids.
using Cells = std::map<std::vector<std::string>, std::vector<Int128>>;

// What is wrong, if anything, with the cells of two neighbours: those of each aggregate move by at most its
// sensitivity, over all groups together (l1). A group that is missing has cells of 0.
std::optional<std::string> find_violation(const RowsPlan& plan, const Cells& one, const Cells& other);

}  // namespace tacit::soundness::rows
