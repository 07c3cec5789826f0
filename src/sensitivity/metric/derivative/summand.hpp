#pragma once

#include "sensitivity/metric/derivative/soften.hpp"

namespace tacit {

// One join row's contribution to a SUM or COUNT: value times filter, as a function of the private cells. Factors of one
// column are folded with that column's set into one function of the column before they are bounded (d * s(d) instead
// of the product rule). `value` null: 1. Proof: summand.md.
Result<RowFunction> summand(const ExprPtr& value, const SoftFilter& filter, const Differentiator& differentiator);

}  // namespace tacit
