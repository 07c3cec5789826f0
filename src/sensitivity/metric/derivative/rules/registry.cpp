#include <fmt/format.h>

#include <algorithm>

#include "sensitivity/metric/derivative/rules/rules.hpp"
#include "sql/functions/rules.hpp"

namespace tacit {
namespace {

// A new rule is a line here. None of its parts has a default: what is left out does not compile.
constexpr DerivativeRule rules[] = {
    {&add_rule, derive_sum, rounding_of_sum, never_keeps_zero},
    {&subtract_rule, derive_difference, rounding_of_difference, never_keeps_zero},
    {&days_between_rule, derive_difference, rounding_of_no_double, never_keeps_zero},
    {&negate_rule, derive_same_slope, largest_rounding, always_keeps_zero},
    {&convert_rule, derive_same_slope, rounding_of_no_double, always_keeps_zero},
    {&to_double_rule, derive_same_slope, rounding_of_conversion, always_keeps_zero},
    {&abs_rule, derive_same_slope, largest_rounding, always_keeps_zero},
    {&clamp_rule, derive_clamp, largest_rounding, clamp_keeps_zero},
    {&multiply_rule, derive_product, rounding_of_product, always_keeps_zero},
    {&real_product_rule, derive_product, rounding_of_product, always_keeps_zero},
    {&divide_rule, derive_quotient, rounding_of_quotient, numerator_keeps_zero},
    {&power_rule, derive_power, rounding_of_power, power_keeps_zero},
    {&pow_rule, derive_power, rounding_of_power, power_keeps_zero},
    {&sqrt_rule, derive_root, rounding_of_root, never_keeps_zero},
    {&ln_rule, derive_logarithm, rounding_of_logarithm, never_keeps_zero},
    {&exp_rule, derive_exponential, rounding_of_exponential, never_keeps_zero},
    {&least_rule, derive_extremum, largest_rounding, never_keeps_zero},
    {&greatest_rule, derive_extremum, largest_rounding, never_keeps_zero},
    {&case_rule, derive_case, largest_rounding, always_keeps_zero},
    {&coalesce_rule, derive_coalesce, largest_rounding, coalesce_keeps_zero},
};

std::string private_names(const Expr& expr, const PrivateColumns& columns) {
  std::string names;
  for (const PrivateColumn* column : private_columns_read(expr, columns)) {
    names += (names.empty() ? "" : ", ") + column->column->table_column;
  }
  return names;
}

}  // namespace

std::span<const DerivativeRule> derivative_rules() { return rules; }

const DerivativeRule* find_derivative_rule(const FunctionRule& function) {
  const auto* found = std::ranges::find(rules, &function, &DerivativeRule::function);
  return found == std::end(rules) ? nullptr : found;
}

RoundingError largest_rounding(const Expr& /*call*/, std::span<const RoundingError> of_args) {
  RoundingError largest;
  for (const RoundingError& error : of_args) {
    largest = {std::max(largest.absolute, error.absolute), std::max(largest.relative, error.relative)};
  }
  return largest;
}

RoundingError rounding_of_no_double(const Expr& /*call*/, std::span<const RoundingError> /*of_args*/) {
  return RoundingError::unknown();
}

bool always_keeps_zero(const Expr& /*call*/, std::size_t /*argument*/) { return true; }
bool never_keeps_zero(const Expr& /*call*/, std::size_t /*argument*/) { return false; }

tl::unexpected<Failure> refuse_not_continuous(const Expr& expr, const PrivateColumns& columns) {
  const auto* call = std::get_if<Call>(&expr.node);
  const std::string names = private_names(expr, columns);
  if (call_meaning(expr, Meaning::null_outside)) {
    return refuse(fmt::format("{} has no declared bounds, so computing with it can overflow", names),
                  "ask the owner to declare min and max of the column in the policy", expr.position);
  }
  return refuse(fmt::format("`{}` of the private {} jumps when a value moves a little: no amount of noise hides that",
                            call ? call->rule->name : "this", names),
                "use + - * / abs sqrt ln exp power least greatest CASE and comparisons; integer and decimal division "
                "round: write x / 2.0::double precision",
                expr.position);
}

}  // namespace tacit
