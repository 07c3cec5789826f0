#pragma once

#include <vector>

#include "base/int128.hpp"
#include "base/value.hpp"
#include "engine/exact_rows.hpp"
#include "noise/add_noise.hpp"
#include "sensitivity/users/users_cells.hpp"

namespace tacit {

// One bin of an aggregate in a group, as the engine returned it (sensitivity/users/users_cells.hpp).
struct BinCells {
  int bin = 0;
  Int128 users = 0;
  Int128 sum = 0;
  Int128 squares = 0;
};
using Bins = std::vector<BinCells>;  // by bin, each once

// One group, exact: it never leaves noise/.
struct UserGroup {
  std::vector<Value> keys;
  std::vector<Int128> cells;  // part 0; all 0 where the engine had no row
  std::vector<Bins> bins;     // per aggregate; empty where it has none
  std::vector<Bins> lengths;  // per aggregate: the bins in l2 (over_all.hpp), where the statement has them

  Int128 users() const { return cells.front(); }
};

// The engine's rows of levels up to `most_level` as groups. Rows whose keys read the same here are added up. `listed`:
// the groups in the order of the list, filled with zeros, and no others; nothing: every group of the data, in key
// order.
std::vector<UserGroup> user_groups(const ExactRows& exact, const UsersAnalysis& analysis, const GroupList* listed,
                                   int most_level = most_tried_groups);

// How many users have at least one group, two, ...: UsersAnalysis::infers_groups.
std::vector<Int128> users_by_place(const ExactRows& exact, const UsersAnalysis& analysis);

// The groups that are marked, as one: the cells of all added up, every key NULL.
UserGroup sum_of_groups(const std::vector<UserGroup>& groups, const std::vector<bool>& in_sum,
                        const UsersAnalysis& analysis, std::size_t keys);

}  // namespace tacit
