#pragma once

#include "base/result.hpp"
#include "engine/engine.hpp"
#include "noise/add_noise.hpp"
#include "plan_query.hpp"

namespace tacit {

// Checks the public keys the proof rests on, compares the work of the joins with its limits, reads the public tables'
// domains, and lists every group of the answer. Reads public tables only: a failure here depends on nothing private and
// costs nothing.
Result<GroupList> list_groups(Engine& engine, const PlannedQuery& planned);

}  // namespace tacit
