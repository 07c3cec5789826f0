#pragma once

#include "catalog/catalog.hpp"
#include "policy/policy.hpp"

namespace tacit {

// Gives the columns that store numbers without declared digits (PostgreSQL's bare numeric) the decimal type that the
// policy declares for them. From then on such a column reads as its value rounded to that type, half away from zero;
// a value that does not fit, NaN and the infinities read as NULL. Keys and NOT NULL of the stored values say nothing
// about those, so they are not the engine's any more. Columns without a declaration stay unusable.
void apply_declared_decimals(Catalog& catalog, const Policy& policy);

}  // namespace tacit
