#pragma once

#include <string>

#include "policy/policy.hpp"

namespace tacit {

// What the policy means, for its owner: engine, budgets, and per table the privacy model, the neighbour relation it
// protects, keys, public facts and what can be asked today. Several lines, each ending in a newline.
// `engine_version`: as the engine tells it; empty: not asked.
std::string describe_policy(const Policy& policy, const std::string& engine_version = "");

}  // namespace tacit
