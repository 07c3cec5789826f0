#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/policy.hpp"

namespace tacit {

// Things that are allowed but that the owner probably did not mean; one sentence each, with its line in the file.
// Without a catalog those that need none; with one (of a checked policy) all of them.
std::vector<std::string> policy_warnings(const Policy& policy, const Catalog* catalog = nullptr);

}  // namespace tacit
