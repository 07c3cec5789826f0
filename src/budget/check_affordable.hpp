#pragma once

#include "base/result.hpp"
#include "budget/amount.hpp"
#include "budget/spending.hpp"

namespace tacit {

// Refuses (budget) a price that the analyst's own rest or the global rest does not cover. The sentence says what the
// query costs, what is left, which cap stops it, and what to do. A price without delta needs no delta left.
Status check_affordable(const Balance& balance, const Amount& price, const Charge& charge);

}  // namespace tacit
