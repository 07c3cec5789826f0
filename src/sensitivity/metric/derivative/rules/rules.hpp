#pragma once

#include <span>

#include "sensitivity/metric/derivative/row_function.hpp"

namespace tacit {

// column.cpp: a stored number
Result<RowFunction> derive_column(const ExprPtr& expr, const Differentiator& differentiator);
// linear.cpp: + - negate, conversions that keep the value, days between dates, abs, clamps
Result<RowFunction> derive_sum(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_difference(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_same_slope(const ExprPtr& call, const Differentiator& differentiator);
// product.cpp
Result<RowFunction> derive_product(const ExprPtr& call, const Differentiator& differentiator);
// quotient.cpp
Result<RowFunction> derive_quotient(const ExprPtr& call, const Differentiator& differentiator);
// power.cpp: power with a constant exponent, sqrt
Result<RowFunction> derive_power(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_root(const ExprPtr& call, const Differentiator& differentiator);
// logarithm.cpp, exponential.cpp
Result<RowFunction> derive_logarithm(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_exponential(const ExprPtr& call, const Differentiator& differentiator);
// extremum.cpp: least, greatest
Result<RowFunction> derive_extremum(const ExprPtr& call, const Differentiator& differentiator);
// choice.cpp: case, coalesce
Result<RowFunction> derive_case(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_coalesce(const ExprPtr& call, const Differentiator& differentiator);

std::span<const DerivativeRule> derivative_rules();

// The refusal for a function that jumps when a private cell moves.
tl::unexpected<Failure> refuse_not_continuous(const Expr& expr, const PrivateColumns& columns);

// f1 f2 and sum of f_i, from what is known of the parts; shared by several rules.
RowFunction multiplied(RowFunction a, RowFunction b);
struct AddedPieces {
  std::vector<Gradient> pieces;
  Gradient joint;
};
AddedPieces added_pieces(const std::vector<RowFunction>& terms, const std::vector<double>& weights);

// The chain rule: the slopes of `inner`, each times `slope`.
void chain_slopes(const RowFunction& inner, const BoundPtr& slope, RowFunction& outer);

// The largest |value| of a range, stated or not: good for proving that a guard of the SQL never acts.
double largest_magnitude(const Range& range);

// The ends of a range that are stated.
std::optional<double> stated_lower_end(const Range& range);
std::optional<double> stated_upper_end(const Range& range);

}  // namespace tacit
