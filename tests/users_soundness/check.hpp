#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/int128.hpp"
#include "sensitivity/contribution/users_analysis.hpp"

namespace tacit::users_soundness {

// The statement's rows (sensitivity/contribution/users_cells.hpp), those that read the same added up.
using Group = std::map<std::pair<int, int>, std::vector<Int128>>;  // by part and bin
using Cells = std::map<std::vector<std::string>, Group>;

// What is wrong, if anything, with the cells of a database and of the same without one person. The claim is that of
// src/rewrite/users_statement.md: at most k groups differ, each by one person, and each cell by what one person says
// within the bounds.
std::optional<std::string> find_violation(const UsersAnalysis& analysis, const Cells& all, const Cells& without);

// How many groups differ.
int groups_moved(const Cells& all, const Cells& without);

}  // namespace tacit::users_soundness
