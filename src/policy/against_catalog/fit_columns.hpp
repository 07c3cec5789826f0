#pragma once

#include "catalog/catalog.hpp"
#include "policy/policy.hpp"
#include "policy/toml/complaints.hpp"

namespace tacit {

// Gives the declared facts of a column its type in the engine. Preconditions, complained about in this order:
//   1. Tacit computes with the type, and a declared type is the engine's (apply_declared_decimals.hpp has been
//   applied);
//   2. bounds and steps stand on numbers, dates and timestamps only;
//   3. each value fits the type exactly (fit_value.hpp);
//   4. the facts still agree with each other (column_facts.hpp).
// `policy` gives the lines of keys.
void fit_column(ColumnPolicy& column, const CatalogColumn& in_engine, const Policy& policy, Complaints& complaints);

}  // namespace tacit
