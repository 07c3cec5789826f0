#pragma once

#include <vector>

#include "catalog/catalog.hpp"
#include "verify/fact.hpp"

namespace tacit {

// Every fact of the policy that rows can confirm or refute, in the order of the policy, table by table:
//   1. a primary key is unique and has no NULLs;
//   2. the owner of a row is known, or NULL: nobody's row, which is counted and no violation;
//   3. the columns of owner_through, where none is NULL, are a key of the table they lead to;
//   4. a dependency X ->[k] Y: at most k different Y for one X, NULL counted as a value on both sides;
//   5. the digits declared for a number that has none of its own: every value fits, rounded;
//   6. bounds, domains and steps of columns; NULL violates none of them.
// What the engine enforces, or the column's type implies, need not be looked up.
// REQUIRES: the policy passed check_against_catalog with this catalog.
std::vector<Fact> list_facts(const Policy& policy, const Catalog& catalog);

}  // namespace tacit
