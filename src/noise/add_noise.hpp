#pragma once

#include <vector>

#include "base/value.hpp"
#include "engine/exact_rows.hpp"
#include "mechanism/mechanism_plan.hpp"
#include "noise/entropy.hpp"
#include "noise/noisy_rows.hpp"

namespace tacit {

// The groups an answer reports: each a full row of key values. One empty row when the query has no GROUP BY.
using GroupList = std::vector<std::vector<Value>>;

// Opens the exact rows, adds the planned noise to every cell of every group (absent groups are 0), computes averages
// from their noisy sums, then orders and limits as the query says. Engine rows whose key is not in `groups` are
// dropped. Metric model: the engine's rows name the groups, and `groups` is not read.
NoisyRows add_noise(ExactRows exact, const MechanismPlan& plan, const GroupList& groups, Entropy& entropy);

// The same table without noise, for the owner's eyes (`explain --analyze`). Never on an analyst's path.
NoisyRows reveal_to_owner(const ExactRows& exact, const MechanismPlan& plan, const GroupList& groups);

// Exact value and bound of every value cell of the metric model, one row a group in key order: for the owner's eyes and
// for tests. Never on an analyst's path.
struct OwnerCell {
  double value = 0.0;
  double bound = 0.0;
};
std::vector<std::vector<OwnerCell>> reveal_bounds(const ExactRows& exact, const MechanismPlan& plan);

}  // namespace tacit
