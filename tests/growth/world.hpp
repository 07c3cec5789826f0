#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/policy.hpp"

namespace tacit::testing {

// item(id, partner, kind_id; x, y, bounded, small, tiny, r, cost, day, name), wide(id, c0 .. c999) in one of the three
// models, and the public kind(id, label). The declared domain of item.name has 10,000 values.
Catalog growth_catalog();
std::vector<std::string> growth_models();  // "rows", "users", "metric"
std::unique_ptr<const Policy> growth_policy(const std::string& model, const Catalog& catalog);

}  // namespace tacit::testing
