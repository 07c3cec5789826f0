#pragma once

#include <span>

#include "sensitivity/metric/derivative/rounding_error.hpp"
#include "sensitivity/metric/derivative/row_function.hpp"

namespace tacit {

// What the calculus knows of one function of SQL, beyond its traits. registry.cpp lists them all: a function that is
// not there is refused where a private cell reaches it.
struct DerivativeRule {
  const FunctionRule* function;

  // Value and slopes from those of the arguments.
  Result<RowFunction> (*derive)(const ExprPtr& call, const Differentiator& differentiator);

  // What doubles lose, from what the arguments lost (rounding_error.md). REQUIRES a call of type double.
  RoundingError (*rounding)(const Expr& call, std::span<const RoundingError> of_args);

  // Whether the function is NULL where this argument is, is 0 where it is 0, and `derive` bounds the step from a value
  // to that 0 like any other (private_null.md, 1).
  bool (*keeps_zero)(const Expr& call, std::size_t argument);
};

std::span<const DerivativeRule> derivative_rules();
const DerivativeRule* find_derivative_rule(const FunctionRule& function);  // null: none

// column.cpp: a stored number
Result<RowFunction> derive_column(const ExprPtr& expr, const Differentiator& differentiator);
// linear.cpp: + - negate, conversions that keep the value, days between dates, abs, clamps
Result<RowFunction> derive_sum(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_difference(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_same_slope(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_clamp(const ExprPtr& call, const Differentiator& differentiator);
RoundingError rounding_of_sum(const Expr& call, std::span<const RoundingError> of_args);
RoundingError rounding_of_difference(const Expr& call, std::span<const RoundingError> of_args);
RoundingError rounding_of_conversion(const Expr& call, std::span<const RoundingError> of_args);
bool clamp_keeps_zero(const Expr& call, std::size_t argument);
// product.cpp
Result<RowFunction> derive_product(const ExprPtr& call, const Differentiator& differentiator);
RoundingError rounding_of_product(const Expr& call, std::span<const RoundingError> of_args);
// quotient.cpp
Result<RowFunction> derive_quotient(const ExprPtr& call, const Differentiator& differentiator);
RoundingError rounding_of_quotient(const Expr& call, std::span<const RoundingError> of_args);
bool numerator_keeps_zero(const Expr& call, std::size_t argument);
// power.cpp: power with a constant exponent, sqrt
Result<RowFunction> derive_power(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_root(const ExprPtr& call, const Differentiator& differentiator);
RoundingError rounding_of_power(const Expr& call, std::span<const RoundingError> of_args);
RoundingError rounding_of_root(const Expr& call, std::span<const RoundingError> of_args);
bool power_keeps_zero(const Expr& call, std::size_t argument);
// logarithm.cpp, exponential.cpp
Result<RowFunction> derive_logarithm(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_exponential(const ExprPtr& call, const Differentiator& differentiator);
RoundingError rounding_of_logarithm(const Expr& call, std::span<const RoundingError> of_args);
RoundingError rounding_of_exponential(const Expr& call, std::span<const RoundingError> of_args);
// extremum.cpp: least, greatest
Result<RowFunction> derive_extremum(const ExprPtr& call, const Differentiator& differentiator);
// choice.cpp: case, coalesce
Result<RowFunction> derive_case(const ExprPtr& call, const Differentiator& differentiator);
Result<RowFunction> derive_coalesce(const ExprPtr& call, const Differentiator& differentiator);
bool coalesce_keeps_zero(const Expr& call, std::size_t argument);

// For several rules (registry.cpp): the result is one of the arguments or its distance from another is at most theirs;
// no double is computed; 0 is kept for every argument, or for none.
RoundingError largest_rounding(const Expr& call, std::span<const RoundingError> of_args);
RoundingError rounding_of_no_double(const Expr& call, std::span<const RoundingError> of_args);
bool always_keeps_zero(const Expr& call, std::size_t argument);
bool never_keeps_zero(const Expr& call, std::size_t argument);

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
