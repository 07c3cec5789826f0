#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/int128.hpp"
#include "sensitivity/users/users_analysis.hpp"

namespace tacit::soundness::users {

// The statement's rows (sensitivity/users/users_cells.hpp), those that read the same added up.
struct Place {
  int part = 0;
  int bin = 0;
  int level = 0;
  auto operator<=>(const Place&) const = default;
};
using Group = std::map<Place, std::vector<Int128>>;
using Cells = std::map<std::vector<std::string>, Group>;
constexpr const char* places_key = "(places)";  // stands for the keys of the rows that count people by places

// What is wrong, if anything, with the cells of a database and of the same without one person. The claim is that of
// src/rewrite/users/users_statement.md: at most k groups differ, each by one person, and each cell by what one person
// says within the bounds; for every level k that may be found, in the rows up to it (mechanism/users/group_count.md).
// What is bounded over all groups together: over_all.md.
std::optional<std::string> find_violation(const UsersAnalysis& analysis, const Cells& all, const Cells& without);

// How many groups differ.
int groups_moved(const Cells& all, const Cells& without);

}  // namespace tacit::soundness::users
