#pragma once

#include "base/result.hpp"
#include "sensitivity/analyzed_query.hpp"
#include "sensitivity/users/ownership.hpp"

namespace tacit {

// How the answer's groups are found and how many of them one person may be in.
struct UserGroups {
  std::vector<GroupKey> keys;      // as the engine is to compute them
  std::vector<KeyDomain> domains;  // empty where the keys are private
  bool private_keys = false;
  int groups_per_user = 1;
  bool several_groups = false;
  bool samples_groups = false;
  Derivation derivation;
};

// A person is in one group where there are no keys or the owner determines them all; in no more than there are listed
// groups; else the k = `most_groups_of_user` that a keyed hash chooses are kept; where that was not stated, at most
// most_tried_groups (users_cells.hpp), to be reduced. Keys are listed where every one has a public list
// (rows/group_domains.hpp); else all of them are private.
// Refuses keys that determine the owner: every group would be one person.
// Proof: analyze_users.md.
Result<UserGroups> find_user_groups(const std::vector<GroupKey>& keys, const RelationPtr& input,
                                    const Ownership& ownership, std::optional<long long> most_groups_of_user);

// Refuses the option leftovers where no group is left out.
Status check_leftovers(const QueryOptions& options, bool private_keys);

// How many groups these lists make, up to a million; 1 where a public table tells only when it is read.
std::size_t count_listed_groups(const std::vector<KeyDomain>& domains);

}  // namespace tacit
