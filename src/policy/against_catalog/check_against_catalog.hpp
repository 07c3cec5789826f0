#pragma once

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "policy/policy.hpp"

namespace tacit {

// The checks of a policy that need the engine's catalog (names and types, never values):
//   1. every table named exists; 2. every column named exists; 3. its type is one Tacit computes with where it must be
//   (bounds, steps, domains, metrics, owners); 4. bounds and domain values fit the column's type; 5. owner chains end
//   at an owner table whose referenced columns are its primary key.
// Domain values and bounds are converted to the column's type (an integer column's domain becomes Decimal of scale 0,
// a date column's strings become Date), so that later stages need not look at the file's spelling again.
Result<Policy> check_against_catalog(Policy policy, const Catalog& catalog);

}  // namespace tacit
